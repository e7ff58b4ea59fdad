//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The loader applies the program's 90,000 relocations at each start. In the usual form their table is 2 MB, which
    // then stay in memory; packed it is a twentieth of that. glibc 2.36, of Debian 12, reads the packed form.
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
