//! Hardware and model use the same codes for the cause of a cycle.

use halfgate_haac_model::model::Cause;
use halfgate_haac_model::report::Causes;
use halfgate_spec::isa::Isa;

#[test]
fn causes_stand_in_the_order_of_the_model() {
    let isa = Isa::parse(include_str!("../../../spec/isa.toml")).unwrap();
    let listed: Vec<&str> = isa.cause.iter().map(|cause| cause.name.as_str()).collect();
    let reported: Vec<&str> = Causes::default().named().iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, reported);
    let all = [
        Cause::Issue,
        Cause::Operand,
        Cause::Bank,
        Cause::Interlock,
        Cause::OorEmpty,
        Cause::Input,
        Cause::Table,
        Cause::LiveFull,
        Cause::WritePort,
        Cause::Instructions,
        Cause::Behind,
        Cause::Nop,
        Cause::Finished,
    ];
    assert_eq!(all.len(), Cause::COUNT);
    // The code of a cause is its index. Its name is that of the variant.
    for (code, cause) in all.into_iter().enumerate() {
        let variant = format!("{cause:?}").to_lowercase();
        assert_eq!((cause as usize, variant), (code, listed[code].replace('_', "")));
    }
}
