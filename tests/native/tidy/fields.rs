//! Whose field a name behind a point is. What a type checker would say is guessed here from what is
//! written down: fields, parameters, what functions return. A name alone tells whose field it is
//! only if one type alone has a field of that name.

use std::collections::{BTreeMap, BTreeSet};

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Member, Pat, ReturnType, Token, Type};

/// What the declarations of all files say.
#[derive(Default)]
pub(super) struct Types {
    /// Per type and field, the field's type.
    fields: BTreeMap<(String, String), String>,
    /// Per field, who has one of that name.
    owners: BTreeMap<String, BTreeSet<String>>,
    /// Per function, the types that functions of that name return.
    returns: BTreeMap<String, BTreeSet<String>>,
    /// Per name of a parameter, its types.
    parameters: BTreeMap<String, BTreeSet<String>>,
}

/// Methods that give what they are called on, or a part of it that this guess takes for the same.
const SAME: [&str; 18] = [
    "as_mut", "as_ref", "clone", "cloned", "copied", "expect", "filter", "first", "get", "get_mut",
    "iter", "iter_mut", "last", "next", "to_owned", "borrow", "skip", "zip",
];

/// The type that matters of one that is written: what a list, an option or a box holds.
fn head(of: &Type, own: Option<&str>) -> Option<String> {
    match of {
        Type::Reference(of) => head(&of.elem, own),
        Type::Paren(of) => head(&of.elem, own),
        Type::Slice(of) => head(&of.elem, own),
        Type::Array(of) => head(&of.elem, own),
        Type::Path(of) => {
            let last = of.path.segments.last()?;
            let name = last.ident.to_string();
            if name == "Self" {
                return own.map(str::to_owned);
            }
            let holds = ["Option", "Vec", "Box", "Rc", "Result", "VecDeque", "Cow"];
            match &last.arguments {
                syn::PathArguments::AngleBracketed(inside) if holds.contains(&name.as_str()) => {
                    inside.args.iter().find_map(|argument| match argument {
                        syn::GenericArgument::Type(of) => head(of, own),
                        _ => None,
                    })
                }
                _ => Some(name),
            }
        }
        _ => None,
    }
}

impl Types {
    /// Takes a file's declarations in.
    pub(super) fn learn(&mut self, file: &syn::File) {
        Declared { types: self, own: None }.visit_file(file);
    }

    /// A field that a macro of the project declares.
    pub(super) fn field(&mut self, of: &str, name: &str, is: Option<&str>) {
        self.owners.entry(name.to_owned()).or_default().insert(of.to_owned());
        if let Some(is) = is {
            self.fields.insert((of.to_owned(), name.to_owned()), is.to_owned());
        }
    }

    /// The only type that has a field of this name.
    fn only_owner(&self, field: &str) -> Option<&String> {
        let owners = self.owners.get(field)?;
        owners.first().filter(|_| owners.len() == 1)
    }

    /// The fields that a file names, each with whose it is.
    pub(super) fn named_in(&self, file: &syn::File) -> BTreeSet<(String, String)> {
        let mut uses =
            Uses { types: self, own: None, known: BTreeMap::new(), found: BTreeSet::new() };
        uses.visit_file(file);
        uses.found
    }
}

/// The one that is there, if only one is.
fn only(of: Option<&BTreeSet<String>>) -> Option<String> {
    let of = of?;
    of.first().filter(|_| of.len() == 1).cloned()
}

fn self_type(item: &syn::ItemImpl) -> Option<String> {
    head(&item.self_ty, None)
}

struct Declared<'a> {
    types: &'a mut Types,
    own: Option<String>,
}

impl Declared<'_> {
    fn signature(&mut self, of: &syn::Signature) {
        if let ReturnType::Type(_, is) = &of.output {
            let is = head(is, self.own.as_deref()).unwrap_or_default();
            self.types.returns.entry(of.ident.to_string()).or_default().insert(is);
        }
        for input in &of.inputs {
            if let syn::FnArg::Typed(typed) = input
                && let Pat::Ident(name) = &*typed.pat
            {
                let is = head(&typed.ty, self.own.as_deref()).unwrap_or_default();
                self.types.parameters.entry(name.ident.to_string()).or_default().insert(is);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Declared<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let of = item.ident.to_string();
        for field in &item.fields {
            if let Some(name) = &field.ident {
                let is = head(&field.ty, Some(&of));
                self.types.field(&of, &name.to_string(), is.as_deref());
            }
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let before = std::mem::replace(&mut self.own, self_type(item));
        visit::visit_item_impl(self, item);
        self.own = before;
    }

    fn visit_signature(&mut self, of: &'ast syn::Signature) {
        self.signature(of);
    }
}

struct Uses<'a> {
    types: &'a Types,
    own: Option<String>,
    /// The types of what has a name here.
    known: BTreeMap<String, String>,
    found: BTreeSet<(String, String)>,
}

impl Uses<'_> {
    fn type_of(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                if name == "self" {
                    return self.own.clone();
                }
                let usual = || only(self.types.parameters.get(&name));
                self.known.get(&name).cloned().or_else(usual).filter(|is| !is.is_empty())
            }
            Expr::Field(field) => {
                let Member::Named(name) = &field.member else {
                    return None;
                };
                let of = self.type_of(&field.base);
                let of = of.or_else(|| self.types.only_owner(&name.to_string()).cloned())?;
                self.types.fields.get(&(of, name.to_string())).cloned()
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                match SAME.contains(&name.as_str()) {
                    true => self.type_of(&call.receiver),
                    false => only(self.types.returns.get(&name)).filter(|is| !is.is_empty()),
                }
            }
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else {
                    return None;
                };
                let name = path.path.segments.last()?.ident.to_string();
                only(self.types.returns.get(&name)).filter(|is| !is.is_empty())
            }
            Expr::Struct(of) => Some(self.whose(&of.path)),
            Expr::Reference(of) => self.type_of(&of.expr),
            Expr::Paren(of) => self.type_of(&of.expr),
            Expr::Unary(of) => self.type_of(&of.expr),
            Expr::Try(of) => self.type_of(&of.expr),
            Expr::Index(of) => self.type_of(&of.expr),
            _ => None,
        }
    }

    fn whose(&self, path: &syn::Path) -> String {
        let last = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if last == "Self" { self.own.clone().unwrap_or_default() } else { last }
    }

    fn learns(&mut self, name: &Pat, is: Option<String>) {
        match name {
            Pat::Ident(name) => {
                self.known.insert(name.ident.to_string(), is.unwrap_or_default());
            }
            Pat::Reference(inside) => self.learns(&inside.pat, is),
            Pat::TupleStruct(inside) if inside.elems.len() == 1 => {
                self.learns(&inside.elems[0], is);
            }
            _ => {}
        }
    }

    /// A field of a type that cannot be told counts for the only one that has it.
    fn names(&mut self, of: Option<String>, field: &str) {
        if let Some(of) = of.or_else(|| self.types.only_owner(field).cloned()) {
            self.found.insert((of, field.to_owned()));
        }
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !super::spread::is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let before = std::mem::replace(&mut self.own, self_type(item));
        visit::visit_item_impl(self, item);
        self.own = before;
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let of = item.ident.to_string();
        let names = item.fields.iter().filter_map(|field| field.ident.as_ref());
        self.found.extend(names.map(|name| (of.clone(), name.to_string())));
    }

    fn visit_signature(&mut self, of: &'ast syn::Signature) {
        self.known.clear();
        for input in &of.inputs {
            if let syn::FnArg::Typed(typed) = input {
                let is = head(&typed.ty, self.own.as_deref());
                self.learns(&typed.pat, is);
            }
        }
        visit::visit_signature(self, of);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        let is = local.init.as_ref().and_then(|init| self.type_of(&init.expr));
        match &local.pat {
            Pat::Type(typed) => {
                let is = head(&typed.ty, self.own.as_deref()).or(is);
                self.learns(&typed.pat, is);
            }
            pat => self.learns(pat, is),
        }
    }

    fn visit_expr_let(&mut self, of: &'ast syn::ExprLet) {
        self.visit_expr(&of.expr);
        let is = self.type_of(&of.expr);
        self.learns(&of.pat, is);
        self.visit_pat(&of.pat);
    }

    fn visit_expr_for_loop(&mut self, of: &'ast syn::ExprForLoop) {
        let is = self.type_of(&of.expr);
        self.learns(&of.pat, is);
        visit::visit_expr_for_loop(self, of);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let is = self.type_of(&call.receiver);
        for argument in &call.args {
            if let Expr::Closure(closure) = argument
                && let [Pat::Ident(name)] = &closure.inputs.iter().collect::<Vec<_>>()[..]
            {
                match &is {
                    Some(is) => self.known.insert(name.ident.to_string(), is.clone()),
                    None => self.known.remove(&name.ident.to_string()),
                };
            }
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        if let Member::Named(name) = &field.member {
            self.names(self.type_of(&field.base), &name.to_string());
        }
        visit::visit_expr_field(self, field);
    }

    fn visit_expr_struct(&mut self, of: &'ast syn::ExprStruct) {
        let whose = self.whose(&of.path);
        for field in &of.fields {
            if let Member::Named(name) = &field.member {
                self.found.insert((whose.clone(), name.to_string()));
            }
        }
        visit::visit_expr_struct(self, of);
    }

    fn visit_pat_struct(&mut self, of: &'ast syn::PatStruct) {
        let whose = self.whose(&of.path);
        for field in &of.fields {
            if let Member::Named(name) = &field.member {
                self.found.insert((whose.clone(), name.to_string()));
                let is = self.types.fields.get(&(whose.clone(), name.to_string())).cloned();
                self.learns(&field.pat, is);
            }
        }
        visit::visit_pat_struct(self, of);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let all = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(all) = all.parse2(item.tokens.clone()) {
            all.iter().for_each(|expr| Uses::visit_expr(self, expr));
            return;
        }
        // No list of expressions: `matches!`, or a page's own syntax.
        let text = item.tokens.to_string();
        let words: Vec<&str> = text.split_whitespace().collect();
        for window in words.windows(2) {
            if window[0] == "." {
                self.names(None, window[1]);
            }
        }
    }
}

#[test]
fn a_field_is_told_by_its_type() {
    let text = "
        struct Spec { lease: Lease }
        struct Lease { ttl: u32, grace: u32 }
        struct Client { ttl: u32 }
        impl Client { fn own(&self) -> u32 { self.ttl } }
        fn spec() -> Spec { todo() }
        fn a(spec: &Spec) { spec.lease.ttl; }
        fn b(all: &[Client]) { all.iter().map(|one| one.ttl); }
        fn c() { let Lease { grace, .. } = spec().lease; }
        fn d(x: impl Fn()) { x.y.ttl; }
    ";
    let parsed = syn::parse_file(text).expect("it is written here");
    let mut types = Types::default();
    types.learn(&parsed);
    let named = |name: &str| {
        let mut alone = parsed.clone();
        alone.items.retain(|item| match item {
            syn::Item::Fn(item) => item.sig.ident == name,
            _ => false,
        });
        types.named_in(&alone)
    };
    let pair = |of: &str, name: &str| (of.to_owned(), name.to_owned());
    assert_eq!(named("a"), [pair("Lease", "ttl"), pair("Spec", "lease")].into());
    assert_eq!(named("b"), [pair("Client", "ttl")].into());
    assert_eq!(named("c"), [pair("Lease", "grace"), pair("Spec", "lease")].into());
    assert_eq!(named("d"), BTreeSet::new(), "two have a `ttl`, and nobody a `y`");
}
