//! A person's data.

use crate::page::{PanelLang, panel_texts};
use domain::FolioId;

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
    people_correct_lead: "El historial conserva lo anterior, y los documentos firmados no cambian. Si la persona aún no ha firmado, se avisa a su contacto anterior.",
        "The history keeps what was there, and signed documents do not change. If the person has not signed yet, the old contact is told.";
    people_correct_where: "Dónde se corrige", "Where they are corrected";
    people_correct_everywhere: "En todos los folios de este número", "In every folio of this number";
    people_number_hint: "Si corrige el número, los folios se encuentran y se reenvían con el nuevo. Si la persona aún no ha firmado, sus códigos dejan de servir y debe abrir de nuevo su enlace. Si ya firmó, el certificado de su firma conserva el número anterior.",
        "If you correct the number, folios are found and sent again by the new one. If the person has not signed yet, their codes stop working and they open their link again. If they have signed, the certificate of their signature keeps the old number.";
    people_mobile: "Celular", "Mobile";
    people_correct: "Corregir", "Correct";
    people_corrected: "Se corrigieron los datos.", "The data were corrected.";
}

impl PanelLang {
    /// Another signer of a folio has the number.
    pub(crate) fn people_number_taken(self, folio: FolioId) -> String {
        match self {
            Self::Es => format!("No se corrigió nada: otro firmante del folio {folio} tiene ese número."),
            Self::En => format!("Nothing was corrected: another signer of folio {folio} has that number."),
        }
    }
}
