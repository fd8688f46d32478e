//! Buffers for nets that ABC does not buffer, since it does not see their readers or their drivers.
//!
//! ABC sees registers as inputs and outputs: it leaves the nets that they drive alone, and does not
//! see the pins that set or clear them. A register with hundreds of readers, or a reset of
//! thousands, would then have a delay that no chip has. So this inserts a tree of buffers behind
//! each register with more than [`MOST`] readers, and before as many such pins behind a gate. Nets
//! of ports stay: whoever drives the port has their tree.

use super::liberty::{Buffer, Library};
use super::netlist::{pin, pins};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Most pins that a register or a buffer drives.
pub const MOST: usize = 16;

/// What a library has for this.
#[derive(Clone, Debug, Default)]
pub struct Driving {
    /// The buffer, if there is one.
    pub buffer: Option<Buffer>,
    /// The output pins of each register.
    pub registers: BTreeMap<String, Vec<String>>,
    /// Pins that set or clear registers without a clock.
    pub asynchronous: BTreeSet<String>,
}

impl Driving {
    /// The buffers and registers of `library`. Of several buffers, the one whose area is nearest to
    /// twice that of the smallest.
    pub fn of(library: &Library) -> Driving {
        let buffers = library.buffers();
        let least = buffers.iter().map(|buffer| buffer.area).fold(f64::INFINITY, f64::min);
        let far = |buffer: &Buffer| (buffer.area - 2.0 * least).abs();
        let buffer = buffers.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        Driving { buffer, registers: library.registers(), asynchronous: library.asynchronous() }
    }
}

/// Inserts buffers into a netlist as Yosys writes it, with one pin on each line. Returns the
/// netlist and the number of buffers.
pub fn insert(netlist: &str, driving: &Driving) -> (String, usize) {
    let Some(buffer) = &driving.buffer else { return (netlist.to_owned(), 0) };
    let (driven, ports) = (driven(netlist, &driving.registers), inputs(netlist));
    let moves = |pin: &str, net: &str| match driven.get(net) {
        Some(own) => *own != pin,
        None => {
            let is_constant = net.starts_with(|c: char| c.is_ascii_digit());
            driving.asynchronous.contains(pin) && !is_constant && !ports.contains(net)
        }
    };
    let mut readers: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, net, _) in pins(netlist).filter(|(pin, net, _)| moves(pin, net)) {
        *readers.entry(net).or_default() += 1;
    }
    readers.retain(|_, count| *count > MOST);
    let (mut text, mut added, mut count) = (String::new(), String::new(), 0);
    // For each net, the names that its readers get, MOST of them each.
    let mut leaves: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (net, readers) in &readers {
        let mut wanted = readers.div_ceil(MOST);
        // From the readers up to the register; each name is driven by one of the next level.
        let mut levels: Vec<Vec<String>> = Vec::new();
        while wanted > 0 {
            levels.push((0..wanted).map(|n| format!("buffered_{}", count + n)).collect());
            count += wanted;
            wanted = if wanted > MOST { wanted.div_ceil(MOST) } else { 0 };
        }
        for (of, names) in levels.iter().enumerate() {
            for (place, name) in names.iter().enumerate() {
                let from = levels.get(of + 1).map_or(*net, |above| above[place / MOST].as_str());
                let Buffer { cell, input, output, .. } = buffer;
                let _ = writeln!(
                    added,
                    "  wire {name};\n  {cell} u_{name} (\n    .{input}({from} ),\n    .{output}({name})\n  );"
                );
            }
        }
        leaves.insert(net, levels.swap_remove(0));
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for line in netlist.lines() {
        match pin(line) {
            Some((pin, net)) if leaves.contains_key(net) && moves(pin, net) => {
                let place = seen.entry(net).or_default();
                let (head, tail) = line.split_once('(').unwrap_or((line, ""));
                let end = if tail.trim_end().ends_with(',') { "," } else { "" };
                let _ = writeln!(text, "{head}({}){end}", leaves[net][*place / MOST]);
                *place += 1;
            }
            _ if line == "endmodule" => {
                text += &added;
                added.clear();
                text += "endmodule\n";
            }
            _ => {
                text += line;
                text += "\n";
            }
        }
    }
    (text, count)
}

/// The nets that registers drive, each with the pin.
fn driven<'n>(
    netlist: &'n str,
    registers: &BTreeMap<String, Vec<String>>,
) -> BTreeMap<&'n str, &'n str> {
    let outputs = |cell: &str| registers.get(cell);
    pins(netlist)
        .filter(|(pin, _, cell)| outputs(cell).is_some_and(|pins| pins.iter().any(|p| p == pin)))
        .map(|(pin, net, _)| (net, pin))
        .collect()
}

/// The names of the input ports.
fn inputs(netlist: &str) -> BTreeSet<&str> {
    let ports = netlist.lines().filter_map(|line| line.trim().strip_prefix("input "));
    ports.filter_map(|port| port.trim_end_matches(';').split_whitespace().last()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn driving() -> Driving {
        let (cell, input, output) = ("BUF".to_owned(), "A".to_owned(), "Y".to_owned());
        Driving {
            buffer: Some(Buffer { cell, input, output, area: 2.0 }),
            registers: BTreeMap::from([("DFF".to_owned(), vec!["Q".to_owned()])]),
            asynchronous: BTreeSet::new(),
        }
    }

    fn netlist(readers: usize) -> String {
        let mut text =
            "module m(a, y);\n  DFF _0_ (\n    .D(\\x [1]),\n    .Q(\\q.q [0])\n  );\n".to_owned();
        for n in 0..readers {
            text += &format!("  INV _{}_ (\n    .A(\\q.q [0]),\n    .Y(y{n})\n  );\n", n + 1);
        }
        text + "endmodule\n"
    }

    /// How many pins each net has, the driver apart.
    fn loads(text: &str) -> BTreeMap<&str, usize> {
        let mut loads = BTreeMap::new();
        for (pin, net, _) in pins(text) {
            if pin == "A" {
                *loads.entry(net).or_default() += 1;
            }
        }
        loads
    }

    #[test]
    fn no_net_of_a_register_keeps_many_readers() {
        for (readers, expected) in
            [(16, 0), (17, 2), (256, 16), (257, 17 + 2), (5000, 313 + 20 + 2)]
        {
            let given = netlist(readers);
            let (text, count) = insert(&given, &driving());
            assert_eq!(count, expected, "{readers}");
            let loads = loads(&text);
            assert!(loads.values().all(|&load| load <= MOST), "{readers}: {loads:?}");
            assert_eq!(loads.values().sum::<usize>(), readers + expected);
            assert_eq!(text.matches("  BUF ").count(), expected);
            assert_eq!(text.matches("endmodule").count(), 1);
        }
    }

    #[test]
    fn a_reset_behind_a_gate_is_buffered_and_that_of_a_port_is_not() {
        let registers = |reset: &str| -> String {
            let one =
                |n| format!("  DFF _{n}_ (\n    .D(d{n}),\n    .Q(q{n}),\n    .R({reset})\n  );\n");
            (2..42).map(one).collect()
        };
        let head = "module m(rst_ni);\n  input rst_ni;\n  wire rst_ni;\n";
        let gate = "  INV _1_ (\n    .A(n),\n    .Y(sync)\n  );\n  INV _0_ (\n    .A(sync),\n    .Y(z)\n  );\n";
        let asynchronous = BTreeSet::from(["R".to_owned()]);
        let driving = Driving { asynchronous, ..driving() };
        let text = |reset: &str| format!("{head}{gate}{}endmodule\n", registers(reset));
        let (buffered, count) = insert(&text("sync"), &driving);
        assert_eq!((count, buffered.matches(".R(buffered_").count()), (3, 40));
        assert!(buffered.contains(".Y(sync)") && buffered.contains("INV _0_ (\n    .A(sync)"));
        for kept in ["rst_ni", "1'h1"] {
            assert_eq!(insert(&text(kept), &driving), (text(kept), 0), "{kept}");
        }
    }

    #[test]
    fn nets_of_gates_stay() {
        let given = netlist(40).replace("DFF _0_", "AND _0_");
        assert_eq!(insert(&given, &driving()), (given.clone(), 0));
        let none = Driving { buffer: None, ..driving() };
        assert_eq!(insert(&netlist(40), &none).1, 0);
    }
}
