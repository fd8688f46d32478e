//! Files of keys: creation, reading, and what is refused.

use super::*;

#[test]
fn a_generated_key_loads_and_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("id");
    let public = generate(&path, false).unwrap();
    let identity = load(&path).unwrap();
    assert_eq!(identity.public().key, public.key);
    assert_eq!(PublicIdentity::from_file(&public_path(&path)).unwrap(), public);
    assert_eq!(expected_peer(&public.fingerprint().to_string()).unwrap(), public.fingerprint());
    let file = public_path(&path);
    assert_eq!(expected_peer(file.to_str().unwrap()).unwrap(), public.fingerprint());

    assert!(matches!(generate(&path, false), Err(KeyError::Exists { .. })));
    assert_eq!(load(&path).unwrap().public().key, public.key);
    assert_ne!(generate(&path, true).unwrap().key, public.key);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_key_that_cannot_be_put_in_place_is_not_left_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("id");
    fs::create_dir(&path).unwrap();
    let error = generate(&path, true).unwrap_err();
    assert!(matches!(error, KeyError::File { action: "write", .. }), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_private_key_that_others_may_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("id");
    generate(&path, false).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert!(error.contains("mode 0640") && error.contains("chmod 600"), "{error}");
}

#[test]
fn the_public_half_is_no_identity() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alice");
    generate(&path, false).unwrap();
    let error = load(&public_path(&path)).unwrap_err().to_string();
    let wanted = format!("the private key file: {}", path.display());
    assert!(error.contains("is the public half") && error.ends_with(&wanted), "{error}");
    let other = folder.path().join("other");
    fs::copy(public_path(&path), &other).unwrap();
    let error = load(&other).unwrap_err().to_string();
    assert!(error.contains("is the public half") && error.contains("keygen"), "{error}");
}

#[test]
fn invalid_keys_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("id");
    generate(&path, false).unwrap();
    let error = PublicIdentity::from_file(&path).unwrap_err().to_string();
    assert!(error.contains("it is the private key"), "{error}");
    write_file(&path, 0o600, true, b"hello").unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert!(error.contains("there is no line BEGIN PRIVATE KEY"), "{error}");
    write_file(&path, 0o600, true, to_pem(b"hello").as_bytes()).unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert!(error.contains("holds no Ed25519 key"), "{error}");
    assert!(matches!(load(&folder.path().join("none")), Err(KeyError::File { .. })));

    for line in ["", "ssh-ed25519 AAAA", "halfgate-ed25519", "halfgate-ed25519 AAAA x"] {
        assert!(PublicIdentity::parse(line).is_err(), "{line:?}");
    }
    for text in ["SHA256:", "SHA256:AAAA", "MD5:00", "SHA256:%"] {
        assert!(text.parse::<Fingerprint>().is_err(), "{text:?}");
    }
}

#[test]
fn lines_and_fingerprints_have_the_documented_form() {
    let public = PublicIdentity { key: [0; 32], comment: "a b".into() };
    let line = public.to_string();
    assert_eq!(line, "halfgate-ed25519 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= a b");
    assert_eq!(PublicIdentity::parse(&line).unwrap(), public);
    // printf of 32 zero bytes | sha256sum, in base64.
    let fingerprint = public.fingerprint().to_string();
    assert_eq!(fingerprint, "SHA256:Zmh6rfhivXdsj8GLjp+OIAiXFIVu4jOzkCpZHQ1fKSU");
}
