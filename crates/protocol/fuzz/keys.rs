//! Parses any bytes as a private key file, a public key line and a fingerprint. Each is rejected,
//! or the parsed key is written and read back unchanged.

use halfgate_protocol::keys::{Fingerprint, Identity, PublicIdentity};

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(identity) = Identity::from_pem(text) {
        let again = Identity::from_pem(&identity.to_pem()).expect("the written text reads back");
        assert_eq!(again.public(), identity.public());
    }
    // A key file has one line; a line break in a comment would not be read back.
    let line = text.lines().next().unwrap_or_default();
    if let Ok(public) = PublicIdentity::parse(line) {
        let again =
            PublicIdentity::parse(&public.to_string()).expect("the written text reads back");
        assert_eq!(again, public);
        let fingerprint = public.fingerprint();
        assert_eq!(fingerprint.to_string().parse::<Fingerprint>().ok(), Some(fingerprint));
    }
    if let Ok(fingerprint) = text.parse::<Fingerprint>() {
        assert_eq!(fingerprint.to_string(), text.trim());
    }
}
