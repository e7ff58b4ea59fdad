//! Every error an operation can answer, as one table.

use std::fmt::Write;

#[test]
fn the_whole_table() {
    let mut shown = String::new();
    let mut last = "";
    for row in web::api::error_table() {
        if row.operation != last {
            writeln!(shown, "{}", row.operation).unwrap();
            last = row.operation;
        }
        writeln!(shown, "  {:<17}{} {}", row.cause, row.status, row.body).unwrap();
    }
    insta::assert_snapshot!("error_table", shown);
}
