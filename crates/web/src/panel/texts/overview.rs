//! The overview.

use crate::page::{PanelLang, panel_texts};

panel_texts! {
    overview_title: "Resumen", "Overview";
    overview_lead: "Según la hora de su empresa.", "By your company's time.";
    overview_period: "Periodo", "Period";
    overview_export: "Exportar por día (CSV)", "Export by day (CSV)";
    overview_file: "resumen.csv", "overview.csv";
    overview_week: "Semana desde", "Week from";
    overview_month: "Mes", "Month";
    overview_now: "Cómo están los folios ahora", "Where folios stand now";
    overview_time: "Tiempo hasta la última firma", "Time to the last signature";
    overview_time_lead: "Desde la creación del folio.", "From the creation of the folio.";
    overview_undelivered: "Mensajes que no se pudieron entregar", "Messages that could not be delivered";
    overview_codes: "Códigos incorrectos", "Wrong codes";
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
    overview_none_title: "Todavía no hay cifras", "There is nothing to count yet";
    overview_none_lead: "Cuando haya folios, aquí verá cuántos se crean y se firman, cuánto tardan y qué falla.",
        "When there are folios, you will see here how many are created and signed, how long they take and what fails.";
    overview_most: "máximo", "highest";
    overview_in_all: "en total", "in all";
}

impl PanelLang {
    /// A time to sign: as long as that, and longer than the one before it.
    pub(crate) const fn within(self, hours: u32) -> &'static str {
        match (self, hours) {
            (Self::Es, 1) => "Menos de 1 hora",
            (Self::En, 1) => "Under 1 hour",
            (Self::Es, 4) => "De 1 a 4 horas",
            (Self::En, 4) => "1 to 4 hours",
            (Self::Es, 24) => "De 4 a 24 horas",
            (Self::En, 24) => "4 to 24 hours",
            (Self::Es, 72) => "De 1 a 3 días",
            (Self::En, 72) => "1 to 3 days",
            (Self::Es, 168) => "De 3 a 7 días",
            (Self::En, 168) => "3 to 7 days",
            (Self::Es, _) => "Más de 7 días",
            (Self::En, _) => "Over 7 days",
        }
    }

    /// "12 en total, máximo 4".
    pub(crate) fn summed(self, total: i64, most: i64) -> String {
        format!(
            "{} {}, {} {}",
            self.number(total),
            self.overview_in_all(),
            self.overview_most(),
            self.number(most)
        )
    }

    /// "30 días".
    pub(crate) fn period(self, days: i32) -> String {
        match (self, days) {
            (Self::Es, 365) => "1 año".to_owned(),
            (Self::En, 365) => "1 year".to_owned(),
            (Self::Es, _) => format!("{days} días"),
            (Self::En, _) => format!("{days} days"),
        }
    }

    /// "mar 26".
    pub(crate) fn short_month(self, month: i8, year: i16) -> String {
        const NAMES: [[&str; 12]; 2] = [
            [
                "ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic",
            ],
            [
                "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
            ],
        ];
        let index = usize::try_from(month - 1).unwrap_or(0);
        let name = NAMES[usize::from(self == Self::En)]
            .get(index)
            .copied()
            .unwrap_or_default();
        format!("{name} {:02}", year.rem_euclid(100))
    }

    /// Within what time half of the folios were signed.
    pub(crate) const fn half_within(self, hours: u32) -> &'static str {
        match (self, hours) {
            (Self::Es, 1) => "La mitad se firmó en menos de 1 hora.",
            (Self::En, 1) => "Half were signed in under 1 hour.",
            (Self::Es, 4) => "La mitad se firmó en menos de 4 horas.",
            (Self::En, 4) => "Half were signed in under 4 hours.",
            (Self::Es, 24) => "La mitad se firmó en menos de 24 horas.",
            (Self::En, 24) => "Half were signed in under 24 hours.",
            (Self::Es, 72) => "La mitad se firmó en menos de 3 días.",
            (Self::En, 72) => "Half were signed in under 3 days.",
            (Self::Es, 168) => "La mitad se firmó en menos de 7 días.",
            (Self::En, 168) => "Half were signed in under 7 days.",
            (Self::Es, _) => "La mitad tardó más de 7 días.",
            (Self::En, _) => "Half took more than 7 days.",
        }
    }
}
