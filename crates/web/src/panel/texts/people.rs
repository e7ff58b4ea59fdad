//! A person's data.

use crate::page::panel_texts;

panel_texts! {
    people_title: "Datos de una persona", "A person's data";
    people_lead: "Busque por el número de documento para ver, entregar o corregir lo que su empresa tiene de una persona.",
        "Search by document number to see, hand over or correct what your company has of a person.";
    people_number: "Número de documento", "Document number";
    people_search: "Buscar", "Search";
    people_none: "Ningún folio tiene un firmante con ese número.", "No folio has a signer with that number.";
    people_folios: "Folios de esta persona", "This person's folios";
    people_older: "Ver los anteriores", "See older ones";
    people_export: "Descargar sus datos", "Download their data";
    people_export_hint: "Un archivo ZIP con los datos, los documentos y las constancias de los folios de esta página.",
        "A ZIP file with the data, documents and evidence of the folios on this page.";
    people_correct_title: "Corregir sus datos", "Correct their data";
    people_correct_lead: "Se corrigen en todos los folios. El historial conserva lo anterior, y los documentos firmados no cambian. Si la persona aún no ha firmado, se avisa a su contacto anterior.",
        "They are corrected in every folio. The history keeps what was there, and signed documents do not change. If the person has not signed yet, the old contact is told.";
    people_mobile: "Celular", "Mobile";
    people_correct: "Corregir", "Correct";
    people_corrected: "Se corrigieron los datos.", "The data were corrected.";
}
