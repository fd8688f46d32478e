//! Areas of one process in terms of another.
//!
//! The factors are those of Stillmaker and Baas, "Scaling equations for the accurate prediction of
//! CMOS device performance from 180 nm to 7 nm", Integration 58 (2017), from its table of areas.
//! They come from densities that manufacturers published, and not from any library here.

/// What a scaled area is called in notes.
pub const SOURCE: &str = "Stillmaker and Baas 2017";

/// An area in 16 nm over the same logic's area in another process, by nanometres.
const TO_16: [(f64, f64); 10] = [
    (130.0, 0.03),
    (90.0, 0.067),
    (65.0, 0.13),
    (45.0, 0.19),
    (32.0, 0.41),
    (20.0, 0.89),
    (16.0, 1.0),
    (14.0, 1.1),
    (10.0, 1.9),
    (7.0, 3.2),
];

/// The factor from a process of `nanometres` to 16 nm; `None` if the source has none.
pub fn to_16(nanometres: f64) -> Option<f64> {
    TO_16.iter().find(|(from, _)| *from == nanometres).map(|(_, factor)| *factor)
}

/// The nanometres at the start of a description such as `7 nm, ASAP7`.
pub fn nanometres(process: &str) -> Option<f64> {
    let (number, _) = process.split_once("nm")?;
    number.trim().parse().ok().filter(|size: &f64| *size > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_scaled_if_the_source_has_it() {
        assert_eq!(nanometres("130 nm, IHP SG13G2"), Some(130.0));
        assert_eq!(nanometres("7nm").and_then(to_16), Some(3.2));
        assert_eq!(nanometres("180 nm").and_then(to_16), None);
        assert_eq!(nanometres("a process"), None);
    }
}
