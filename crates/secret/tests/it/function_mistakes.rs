//! Mistakes with functions of the circuit: each is refused with a sentence that says what to do.

use halfgate_secret::{
    Callable, List, Party, U8, U16, Uint, function, input, list, output, shared, trace,
    trace_structured,
};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Returns the panic message of `f`, run while a circuit is written with an input and a list.
fn panic_in<R>(f: impl FnOnce(U8, Vec<U8>) -> R) -> String {
    let write = || {
        f(input("x", Party::Garbler), list("list", Party::Evaluator, 3));
    };
    let panic = catch_unwind(AssertUnwindSafe(|| trace_structured(write))).err();
    let panic = panic.expect("it panics");
    let text = panic.downcast_ref::<String>().cloned();
    text.unwrap_or_else(|| panic.downcast_ref::<&str>().unwrap().to_string())
}

#[test]
fn captured_secrets_are_refused() {
    let from_outside = "function \"f\" uses a secret value from outside its closure: pass it as an \
                        argument; in a map or a fold, as a `shared` one";
    let texts = [
        panic_in(|x, list| function("f", move |y: U8| x + y).map(&list)),
        panic_in(|x, _| function("f", move |y: U8| (x, y)).call(x)),
        panic_in(|x, list| function("f", move |_: U8| !x).map(&list)),
        panic_in(|x, list| function("f", move |y: U8| list.read(y)).call(x)),
        panic_in(|x, _| {
            let f = move |y: U8| {
                use halfgate_secret::Secret;
                U8::from_bits(&(), &x.to_bits()) + y
            };
            function("f", f).call(x);
        }),
        panic_in(|x, _| {
            let add = function("add", |x: U8, y: U8| x + y);
            function("f", move |y: U8| add.call((x, y))).call(x);
        }),
        panic_in(|x, list| {
            let add = function("add", |x: U8, y: U8| x + y);
            function("f", move |y: U8| add.fold(y, &list)).call(x);
        }),
    ];
    for text in texts {
        assert_eq!(text, from_outside);
    }
    let leaked = Rc::new(Cell::new(None));
    let inner = Rc::clone(&leaked);
    let text = panic_in(|x, _| {
        let f = function("f", move |y: U8| {
            inner.set(Some(y));
            y
        });
        output("y", &(f.call(x) + leaked.get().unwrap()));
    });
    assert!(text.contains("a value lives only in the closure that it was made in"), "{text}");
}

#[test]
fn functions_stay_in_their_circuit() {
    let kept = Rc::new(Cell::new(None));
    let inner = Rc::clone(&kept);
    let circuit = trace(move || {
        let x: U8 = input("x", Party::Garbler);
        let f = function("f", |x: U8| x * x);
        inner.set(Some(f));
        output("y", &x);
    });
    assert!(circuit.unwrap().gates.is_empty(), "a function that is not called takes nothing");
    let f: Callable<U8, U8> = kept.get().unwrap();
    let text = panic_in(|x, _| {
        function("g", |x: U16| x); // has the same place in this circuit
        f.call(x)
    });
    assert!(text.contains("a function was used in another circuit than its own"), "{text}");
    let text = catch_unwind(|| function("f", |x: U8| x)).unwrap_err();
    let text = text.downcast_ref::<&str>().unwrap();
    assert!(text.contains("no circuit is being written on this thread"), "{text}");
    // A circuit that is written inside a function is separate.
    let circuit = trace_structured(|| {
        let f = function("f", |x: U8| {
            let inner = trace(|| output("y", &input::<U8>("y", Party::Garbler).is_zero())).unwrap();
            x + U8::from(inner.gates.ands())
        });
        output("x", &f.call(input("x", Party::Garbler)));
    });
    assert_eq!(circuit.unwrap().functions.len(), 1);
}

#[test]
fn mistakes_have_clear_messages() {
    let add = || function("add", |x: U8, y: U8| x + y);
    let text = panic_in(|_, list| add().map((&list, &list[..2])));
    assert_eq!(
        text,
        "function \"add\": one list has 3 elements and another one 2; the lists of a map or fold \
         must have the same length"
    );
    let text = panic_in(|x, _| add().map((shared(x), shared(1))));
    assert!(text.contains("all arguments are shared"), "{text}");
    let text = panic_in(|x, list| {
        function("sum", |list: Vec<U8>| list.iter().sum::<U8>()).map([vec![x], list]);
    });
    assert!(text.contains("the elements of a list must have the same length"), "{text}");
    let text = panic_in(|_, list| {
        let push = function("push", |mut list: Vec<U8>, x: U8| {
            list.push(x);
            list
        });
        push.fold(list.clone(), &list);
    });
    assert!(text.contains("a fold's next state must have the shape of the state"), "{text}");
    fn forever(x: U8) -> U8 {
        function("forever", forever).call(x)
    }
    let text = panic_in(|x, _| function("forever", forever).call(x));
    assert!(text.contains("calls itself with arguments of the same type and length"), "{text}");
    // Each closure captures another number, so each is another function.
    fn deeper(depth: u8, x: U8) -> U8 {
        function("deeper", move |x: U8| deeper(depth + 1, x + depth)).call(x)
    }
    let text = panic_in(|x, _| deeper(0, x));
    assert!(text.contains("nested more than 32 deep"), "{text}");
    let text = panic_in(|x, _| {
        function("port", |x: U8| x + input::<U8>("inner", Party::Garbler)).call(x);
    });
    assert!(text.contains("a function has no port \"inner\""), "{text}");
    let flat = trace(|| {
        let x: Uint<3> = input("x", Party::Garbler);
        output("y", &function("double", |x: Uint<3>| x + x * x).call(x));
    });
    let text = flat.unwrap_err().to_string();
    assert!(text.contains("the circuit calls functions"), "{text}");
}

#[test]
fn a_panic_in_a_closure_leaves_no_circuit_behind() {
    let text = panic_in(|x, _| {
        let f = function("f", |_: U8| -> U8 { panic!("inside") });
        let caught = catch_unwind(AssertUnwindSafe(|| f.call(x)));
        assert_eq!(*caught.unwrap_err().downcast_ref::<&str>().unwrap(), "inside");
        output("y", &x);
    });
    assert!(text.contains("no circuit is being written on this thread"), "{text}");
}
