//! Arrays and vectors: reads and writes at a secret place, sorting, extremes.

use crate::boolean::Bool;
use crate::integer::{Int, U32, Uint};
use crate::secret::{Secret, bits_of};
use crate::trace::{Tag, Unpack, combine};
use halfgate_circuit::sort::{self, Key};
use halfgate_circuit::{Bit, array};

/// Operations on arrays, slices and vectors of secret values. Below, `n` is the number of elements,
/// which have `w` bits each.
///
/// A secret place is a [`Uint`] of any width. A place out of range reads zeros and writes nothing;
/// a place of exactly `log2 n` bits is cheapest. If a place is public, use `list[i]`.
///
/// ```
/// use halfgate_secret::{List, Party, U8, U32, input, output, trace};
/// let circuit = trace(|| {
///     let mut prices: [U32; 8] = input("prices", Party::Garbler);
///     let place: U8 = input("place", Party::Evaluator);
///     output("price", &prices.read(place));
///     prices.sort_values();
///     output("median", &((prices[3] + prices[4]) / 2));
///     let (place, highest) = prices.largest();
///     output("highest", &(place, highest));
/// });
/// # circuit.unwrap();
/// ```
pub trait List<T: Secret> {
    /// The element at a secret place. `(n - 1) w` ANDs for `n` a power of two and a place of
    /// `log2 n` bits, otherwise about `n w`; depth `log2 n`: see
    /// [`array::read`](halfgate_circuit::array::read).
    ///
    /// # Panics
    /// If there are no elements.
    fn read<const M: usize>(&self, place: Uint<M>) -> T;

    /// Writes `value` to a secret place. About `n w + n` ANDs, depth `log2 n`: see
    /// [`array::write`](fn@halfgate_circuit::array::write).
    ///
    /// # Panics
    /// If the value is a vector of another length than the elements.
    #[track_caller]
    fn write<const M: usize>(&mut self, place: Uint<M>, value: impl Into<T>) {
        self.write_if(true, place, value);
    }

    /// Writes `value` to a secret place if `condition` is true. ANDs as for [`write`](List::write).
    ///
    /// # Panics
    /// As for [`write`](List::write).
    #[track_caller]
    fn write_if<const M: usize>(
        &mut self,
        condition: impl Into<Bool>,
        place: Uint<M>,
        value: impl Into<T>,
    );

    /// Sorts the values, the least first, with Batcher's network. `2 w` ANDs for each of its
    /// [`comparisons`](halfgate_circuit::sort::comparisons), of which there are about
    /// `n/4 (log2 n)^2`.
    #[track_caller]
    fn sort_values(&mut self)
    where
        T: Ordered;

    /// Sorts by a key, the least first. Elements of equal keys have no particular order. Each
    /// comparison takes `k + w` ANDs for keys of `k` bits that are bits of the element, and
    /// `2 k + w` for other keys.
    fn sort_values_by_key<K: Ordered>(&mut self, key: impl FnMut(&T) -> K);

    /// The largest element and its place; the first place if several are equal. At most
    /// `(n - 1)(2 w + log2 n)` ANDs.
    ///
    /// # Panics
    /// If there are no elements.
    #[track_caller]
    fn largest(&self) -> (U32, T)
    where
        T: Ordered;

    /// The smallest element and its place; the first place if several are equal. ANDs as for
    /// [`largest`](List::largest).
    ///
    /// # Panics
    /// If there are no elements.
    #[track_caller]
    fn smallest(&self) -> (U32, T)
    where
        T: Ordered;
}

/// Values with a total order: all secret values except vectors. For booleans, false is first.
/// Floats have the order of `f32::total_cmp`, which differs from their comparisons for zeros and
/// NaNs. Tuples and arrays are compared by their first member, then by the next.
pub trait Ordered: Secret {
    /// Returns bits, the lowest first. As unsigned numbers, they have the same order as the values.
    /// Free.
    fn to_order(&self) -> Vec<Bit>;

    /// Whether this comes strictly before `other`. One AND per bit.
    #[track_caller]
    fn precedes(&self, other: &Self) -> Bool {
        let (tags, (x, y)) =
            ([bits_of(self).0, bits_of(other).0], (self.to_order(), other.to_order()));
        let (tag, less) = combine(&tags, |b| halfgate_circuit::int::lt_unsigned(b, &x, &y));
        Bool::new(tag, less)
    }
}

impl<T: Secret> List<T> for [T] {
    #[track_caller]
    fn read<const M: usize>(&self, place: Uint<M>) -> T {
        let first = self.first().expect("read: a list without elements has none to read");
        let (tags, elements) = split(self);
        let (tag, bits) = combine(&[tags, place.tag], |b| array::read(b, &elements, &place.bits));
        T::unpack(&first.shape(), &mut Unpack::new(tag, &bits))
    }

    #[track_caller]
    fn write_if<const M: usize>(
        &mut self,
        condition: impl Into<Bool>,
        place: Uint<M>,
        value: impl Into<T>,
    ) {
        let (condition_tag, condition) = condition.into().parts();
        let (value_tag, value) = bits_of(&value.into());
        let (list_tag, elements) = split(self);
        let tags = [condition_tag, value_tag, list_tag, place.tag];
        let (tag, written) =
            combine(&tags, |b| array::write_if(b, condition, &elements, &place.bits, &value));
        join(self, tag, written.iter().map(Vec::as_slice));
    }

    #[track_caller]
    fn sort_values(&mut self)
    where
        T: Ordered,
    {
        self.sort_values_by_key(T::clone);
    }

    #[track_caller]
    fn sort_values_by_key<K: Ordered>(&mut self, mut key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(&mut key).collect();
        let (list_tag, elements) = split(self);
        let key_tag = keys.iter().fold(Tag::CONSTANT, |tag, key| tag.join(bits_of(key).0));
        // If the key's bits are bits of the element, the builder shares the gates that exchange
        // them.
        let keys: Vec<Vec<Bit>> = keys.iter().map(K::to_order).collect();
        let width = keys.first().map_or(0, Vec::len);
        let items: Vec<Vec<Bit>> =
            keys.iter().zip(&elements).map(|(key, element)| [&key[..], element].concat()).collect();
        let (tag, sorted) =
            combine(&[list_tag, key_tag], |b| sort::sort(b, &items, Key::unsigned(width)));
        join(self, tag, sorted.iter().map(|item| &item[width..]));
    }

    #[track_caller]
    fn largest(&self) -> (U32, T)
    where
        T: Ordered,
    {
        extreme(self, |best, element| best.precedes(element))
    }

    #[track_caller]
    fn smallest(&self) -> (U32, T)
    where
        T: Ordered,
    {
        extreme(self, |best, element| element.precedes(best))
    }
}

/// Returns the first element that no other element beats, and its place.
#[track_caller]
fn extreme<T: Secret>(list: &[T], beaten_by: impl Fn(&T, &T) -> Bool) -> (U32, T) {
    let places =
        list.iter().enumerate().map(|(place, element)| (U32::from(place), element.clone()));
    let better = |best: (U32, T), next: (U32, T)| {
        let beaten = beaten_by(&best.1, &next.1);
        beaten.select(next, best)
    };
    places.reduce(better).expect("a list without elements has no extreme")
}

/// Returns the bits of each element.
#[track_caller]
fn split<T: Secret>(list: &[T]) -> (Tag, Vec<Vec<Bit>>) {
    let (mut tag, mut elements) = (Tag::CONSTANT, Vec::with_capacity(list.len()));
    for element in list {
        let (own, bits) = bits_of(element);
        tag = tag.join(own);
        elements.push(bits);
    }
    (tag, elements)
}

/// Rebuilds the elements from their bits.
#[track_caller]
fn join<'a, T: Secret>(list: &mut [T], tag: Tag, elements: impl Iterator<Item = &'a [Bit]>) {
    for (element, bits) in list.iter_mut().zip(elements) {
        *element = T::unpack(&element.shape(), &mut Unpack::new(tag, bits));
    }
}

impl<const N: usize> Uint<N> {
    /// The entry of a public table at a secret place, or 0 if the place is out of range. Cheaper
    /// than reading a secret list: see [`array::lookup`](halfgate_circuit::array::lookup).
    ///
    /// # Panics
    /// If an entry does not fit.
    #[track_caller]
    pub fn lookup<const M: usize>(table: &[u128], place: Uint<M>) -> Self {
        for entry in table {
            let fits = N >= 128 || entry >> N == 0;
            assert!(fits, "lookup: the entry {entry} does not fit an unsigned integer of {N} bits");
        }
        let (tag, bits) = combine(&[place.tag], |b| array::lookup(b, table, N, &place.bits));
        Uint::from_slice(tag, &bits)
    }
}

impl Ordered for Bool {
    #[track_caller]
    fn to_order(&self) -> Vec<Bit> {
        vec![self.parts().1]
    }
}

impl<const N: usize> Ordered for Uint<N> {
    #[track_caller]
    fn to_order(&self) -> Vec<Bit> {
        self.bits.to_vec()
    }
}

impl<const N: usize> Ordered for Int<N> {
    #[track_caller]
    fn to_order(&self) -> Vec<Bit> {
        let mut bits = self.bits.to_vec();
        if let Some(sign) = bits.last_mut() {
            *sign = !*sign;
        }
        bits
    }
}

impl<T: Ordered, const L: usize> Ordered for [T; L]
where
    T::Shape: Default,
{
    #[track_caller]
    fn to_order(&self) -> Vec<Bit> {
        self.iter().rev().flat_map(T::to_order).collect()
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt),*) => {
        impl<$($T: Ordered),*> Ordered for ($($T,)*) {
            #[track_caller]
            fn to_order(&self) -> Vec<Bit> {
                let mut members = [$(self.$i.to_order()),*];
                members.reverse();
                members.concat()
            }
        }
    };
}

tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
