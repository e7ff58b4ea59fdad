//! The overview.

use crate::page::{Lang, words};

words! {
    overview_title: "Resumen", "Overview";
    overview_lead: "Los últimos 30 días, según la hora de su empresa.", "The last 30 days, by your company's time.";
    overview_now: "Cómo están los folios ahora", "Where folios stand now";
    overview_daily: "Folios por día", "Folios by day";
    overview_time: "Tiempo hasta la última firma", "Time to the last signature";
    overview_time_lead: "Desde la creación del folio.", "From the creation of the folio.";
    overview_undelivered: "Mensajes que no se pudieron entregar", "Messages that could not be delivered";
    overview_codes: "Códigos equivocados", "Wrong codes";
    overview_table: "Ver como tabla", "See as a table";
    overview_day: "Día", "Day";
    overview_created: "Creados", "Created";
    overview_signed: "Firmados", "Signed";
    overview_rejected: "Rechazados", "Rejected";
    overview_approved: "Aprobados", "Approved";
    overview_cancelled: "Anulados", "Cancelled";
    overview_count: "Cuántos", "How many";
    overview_within: "Tiempo", "Time";
    overview_nothing: "No hubo ninguno.", "There were none.";
    overview_none_title: "Todavía no hay nada que contar", "There is nothing to count yet";
    overview_none_lead: "Cuando haya folios, aquí verá cuántos se crean y se firman, cuánto tardan y qué falla.",
        "When there are folios, you will see here how many are created and signed, how long they take and what fails.";
    overview_most: "máximo", "highest";
    overview_in_all: "en total", "in all";
}

impl Lang {
    /// A time to sign.
    pub(crate) fn within(self, hours: u32) -> String {
        match (self, hours) {
            (Self::Es, 1) => "Menos de 1 hora".to_owned(),
            (Self::En, 1) => "Under 1 hour".to_owned(),
            (Self::Es, u32::MAX) => "Más de 7 días".to_owned(),
            (Self::En, u32::MAX) => "Over 7 days".to_owned(),
            (Self::Es, 24) => "Menos de 1 día".to_owned(),
            (Self::En, 24) => "Under 1 day".to_owned(),
            (Self::Es, hours) if hours < 24 => format!("Menos de {hours} horas"),
            (Self::En, hours) if hours < 24 => format!("Under {hours} hours"),
            (Self::Es, hours) => format!("Menos de {} días", hours / 24),
            (Self::En, hours) => format!("Under {} days", hours / 24),
        }
    }

    /// "12 en total, máximo 4".
    pub(crate) fn summed(self, total: i64, most: i64) -> String {
        format!(
            "{total} {}, {} {most}",
            self.overview_in_all(),
            self.overview_most()
        )
    }
}
