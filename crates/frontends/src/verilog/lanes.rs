//! Finds the instances of a body that become one map.
//!
//! Instances are lanes of a map if they are of one module, their names differ only in indices of
//! `generate` loops and instance arrays, and none depends on another. Of instances that depend on
//! each other, those with the same number of them before them, on the longest path, become a map.

use super::cells::{Kind, Signal};
use super::error::Error;
use super::live::{Design, Live};
use super::netlist::{Driver, Netlist};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The instances of a body in groups, each of which becomes one map or call.
pub(super) struct Groups {
    /// The cells of each group, in the order of lanes.
    groups: Vec<Vec<u32>>,
    /// The group of each cell.
    of_cell: HashMap<u32, usize>,
}

/// The indices in an instance's name, and its cell.
type Member = (Vec<i64>, u32);

impl Groups {
    /// Groups the instances of a body that are needed.
    ///
    /// # Errors
    /// If an instance depends on itself.
    pub(super) fn of(design: &Design, netlist: &Netlist, live: &Live) -> Result<Groups, Error> {
        // The indices and the cells of instances, by the name without indices and the module.
        let mut loops: BTreeMap<(String, u32), Vec<Member>> = BTreeMap::new();
        let mut found = Groups { groups: Vec::new(), of_cell: HashMap::new() };
        for &number in live.instances.keys() {
            let cell = &netlist.cells[number as usize];
            let Kind::Instance(module) = cell.kind else { continue };
            let (name, indices) = split(&cell.instance);
            loops.entry((name, module)).or_default().push((indices, number));
            found.of_cell.insert(number, found.groups.len());
            found.groups.push(vec![number]);
        }
        let search = Search { design, netlist, live };
        for mut members in loops.into_values().filter(|members| members.len() > 1) {
            members.sort();
            let cells: Vec<u32> = members.into_iter().map(|(_, cell)| cell).collect();
            let depths = search.depths(&found, &cells)?;
            let mut lanes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for (&cell, depth) in cells.iter().zip(depths) {
                lanes.entry(depth).or_default().push(cell);
            }
            for cells in lanes.into_values() {
                for &cell in &cells {
                    let single = found.of_cell.insert(cell, found.groups.len());
                    found.groups[single.expect("it had its own group")].clear();
                }
                found.groups.push(cells);
            }
        }
        Ok(found)
    }

    /// The cells that become one map or call with `cell`.
    pub(super) fn with(&self, cell: u32) -> &[u32] {
        self.of_cell.get(&cell).map_or(&[], |&group| &self.groups[group])
    }
}

/// Splits the name of an instance, such as `row[2].column[10].cell`, into the name without indices
/// and the indices.
fn split(name: &str) -> (String, Vec<i64>) {
    let (mut rest, mut plain, mut indices) = (name, String::new(), Vec::new());
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let index = after.split_once(']').and_then(|(index, after)| {
            indices.push(index.parse().ok()?);
            Some(after)
        });
        match index {
            Some(after) => {
                plain.push_str("[]");
                rest = after;
            }
            None => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    (plain, indices)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Net(u32),
    Group(usize),
}

struct Search<'a> {
    design: &'a Design,
    netlist: &'a Netlist,
    live: &'a Live,
}

impl Search<'_> {
    /// For each of `cells`, the most of them on a path to it, itself included.
    fn depths(&self, groups: &Groups, cells: &[u32]) -> Result<Vec<u32>, Error> {
        let counted: HashSet<usize> = cells.iter().map(|cell| groups.of_cell[cell]).collect();
        // The depth of each node; `None` while the nodes that it depends on are visited.
        let mut depths: HashMap<Node, Option<u32>> = HashMap::new();
        for cell in cells {
            let mut path = vec![(Node::Group(groups.of_cell[cell]), Vec::new(), 0)];
            path[0].1 = self.needs(groups, path[0].0);
            if depths.contains_key(&path[0].0) {
                continue;
            }
            depths.insert(path[0].0, None);
            while let Some((node, needs, depth)) = path.last_mut() {
                let Some(next) = needs.pop() else {
                    let own = matches!(node, Node::Group(group) if counted.contains(group));
                    let depth = *depth + u32::from(own);
                    depths.insert(*node, Some(depth));
                    path.pop();
                    if let Some((_, _, before)) = path.last_mut() {
                        *before = depth.max(*before);
                    }
                    continue;
                };
                match depths.get(&next) {
                    Some(Some(found)) => *depth = (*depth).max(*found),
                    Some(None) => return Err(self.looped(next, &path)),
                    None => {
                        depths.insert(next, None);
                        path.push((next, self.needs(groups, next), 0));
                    }
                }
            }
        }
        let depth = |cell| depths[&Node::Group(groups.of_cell[cell])];
        Ok(cells.iter().map(|cell| depth(cell).expect("visited")).collect())
    }

    /// The nodes that `node` depends on directly.
    fn needs(&self, groups: &Groups, node: Node) -> Vec<Node> {
        let nets = |signals: Vec<Signal>| {
            let nets = signals.into_iter().filter_map(|signal| match signal {
                Signal::Net(net) => Some(Node::Net(net)),
                _ => None,
            });
            nets.collect::<Vec<_>>()
        };
        match node {
            Node::Net(net) => {
                let Driver::Cell { cell, bit } = self.netlist.driver(net) else {
                    return Vec::new();
                };
                match groups.of_cell.get(&cell) {
                    Some(&group) => vec![Node::Group(group)],
                    None => nets(self.netlist.cells[cell as usize].reads(bit as usize)),
                }
            }
            Node::Group(group) => {
                let reads = groups.groups[group].iter().flat_map(|&cell| {
                    self.design.reads(self.netlist, cell, &self.live.instances[&cell])
                });
                nets(reads.collect())
            }
        }
    }

    fn looped(&self, node: Node, path: &[(Node, Vec<Node>, u32)]) -> Error {
        let nets = path.iter().rev().map(|&(node, ..)| node).chain([node]);
        let net = nets.filter_map(|node| match node {
            Node::Net(net) => Some(net),
            Node::Group(_) => None,
        });
        let (name, place) =
            net.take(1).map(|net| self.netlist.name(net)).next().unwrap_or_default();
        Error::Loop { place, name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_their_indices() {
        let of = |name: &str, indices: &[i64]| (name.to_owned(), indices.to_vec());
        assert_eq!(split("row[2].column[-10].cell"), of("row[].column[].cell", &[2, -10]));
        assert_eq!(split("cell[3]"), of("cell[]", &[3]));
        assert_eq!(split("cell[x][1]"), of("cell[x][]", &[1]));
        assert_eq!(split("cell[3"), of("cell[3", &[]));
    }
}
