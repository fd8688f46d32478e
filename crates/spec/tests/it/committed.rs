//! What is committed is what is generated, so that nobody reads stale widths or codes.

use halfgate_spec::{left_over, outputs};
use std::path::Path;

#[test]
fn nothing_that_is_generated_is_stale() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let outputs = outputs(&root).unwrap();
    for output in &outputs {
        let text = std::fs::read_to_string(root.join(&output.path)).unwrap();
        assert!(text == output.text, "{} is stale: make spec", output.path.display());
    }
    assert_eq!(left_over(&root, &outputs).unwrap(), Vec::<std::path::PathBuf>::new());
}
