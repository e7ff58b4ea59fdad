//! The frame of every page of the panel, and pages that say one thing.

use crate::page::{PanelLang, panel_texts};
use domain::Role;
use std::net::IpAddr;

panel_texts! {
    panel: "Panel de firmas", "Signature panel";
    nav: "Secciones", "Sections";
    menu: "Menú", "Menu";
    nav_keys: "Llaves", "Keys";
    nav_company: "Empresa", "Company";
    nav_audit: "Auditoría", "Audit";
    nav_users: "Personas", "People";
    nav_account: "Mi cuenta", "My account";
    sign_out: "Salir", "Sign out";
    role_reader: "Consulta", "Reader";
    role_supervisor: "Supervisión", "Supervisor";
    role_administrator: "Administración", "Administrator";
    yes: "Sí", "Yes";
    no: "No", "No";
    optional: "opcional", "optional";
    save: "Guardar", "Save";
    cancel: "Cancelar", "Cancel";
    go_back: "Volver", "Go back";
    to_the_panel: "Ir al panel", "Go to the panel";
    cannot_be_undone: "No se puede deshacer.", "It cannot be undone.";
    newer: "Más recientes", "Newer";
    older: "Anteriores", "Older";
    previous: "Página anterior", "Previous page";
    next: "Página siguiente", "Next page";
    list_pages: "Páginas de la lista", "Pages of the list";
    never: "nunca", "never";
    panel_not_found_title: "Aquí no hay nada", "There is nothing here";
    panel_not_found_lead: "La página no existe, o lo que mostraba ya no está.", "The page does not exist, or what it showed is gone.";
    not_allowed_title: "Su rol no permite esto", "Your role does not allow this";
    not_allowed_lead: "Si lo necesita, pida a quien administra el panel que cambie su rol.",
        "If you need it, ask an administrator of the panel to change your role.";
    foreign_form_title: "No se hizo nada", "Nothing was done";
    foreign_form_lead: "El formulario no venía de esta sesión. Vuelva a la página e inténtelo de nuevo.",
        "The form did not come from this session. Go back to the page and try again.";
    changed_title: "Ya no es posible", "No longer possible";
    changed_lead: "Algo cambió mientras tanto. Vuelva a la página para ver cómo está ahora.",
        "Something changed meanwhile. Go back to the page to see how it is now.";
    panel_broken_history_lead: "No es el que el servicio escribió, y por eso no se entrega evidencia de él. Avise a quien opera el servicio: los correos que tienen los firmantes dicen cuál era.",
        "It is not the one that the service wrote, so no evidence of it is handed out. Tell whoever operates the service: the emails that signers hold say which it was.";
    own_timestamps: "Las estampas de tiempo las pone este mismo servicio. Ante un juez pesa más la palabra de un tercero: quien opera el servicio puede configurar una autoridad de estampado (FIRMEZA_TSA_URL).",
        "This service stamps the time itself. The word of a third party weighs more before a judge: the service's operator can set a timestamp authority (FIRMEZA_TSA_URL).";
    panel_internal_lead: "Nada se ha perdido. Intente de nuevo; si sigue fallando, dé este número de referencia a quien opera el servicio:",
        "Nothing is lost. Try again; if it keeps failing, give this reference number to whoever operates the service:";
}

impl PanelLang {
    /// That a proxy hides from where people come, and what to do about it.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn unlisted_proxy(self, address: &IpAddr) -> String {
        match self {
            Self::Es => format!(
                "Las solicitudes llegan por un proxy ({address}) que no está en FIRMEZA_TRUSTED_PROXIES: todos los \
                 firmantes aparecen con la dirección de ese proxy, también en la evidencia. Avise a quien opera el \
                 servicio."
            ),
            Self::En => format!(
                "Requests come through a proxy ({address}) that FIRMEZA_TRUSTED_PROXIES does not name: all signers \
                 appear with that proxy's address, in the evidence too. Tell the service's operator."
            ),
        }
    }

    pub(crate) const fn role(self, role: Role) -> &'static str {
        match role {
            Role::Reader => self.role_reader(),
            Role::Supervisor => self.role_supervisor(),
            Role::Administrator => self.role_administrator(),
        }
    }
}
