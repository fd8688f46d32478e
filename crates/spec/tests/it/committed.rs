//! The committed files equal the generated ones, so no width or code is stale.

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
