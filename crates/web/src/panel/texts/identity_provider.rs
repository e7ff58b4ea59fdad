//! Signing in with the company's own account.

use crate::page::{PanelLang, panel_texts};

panel_texts! {
    provider_title: "Entrar con la cuenta de la empresa", "Sign-in with the company account";
    provider_lead: "Las personas entran al panel con la cuenta que ya tienen en la empresa (OpenID Connect: Microsoft Entra ID, Google, Keycloak y otros). Guarde los datos, pruébelos y actívelos.",
        "People sign in to the panel with the account they already have in the company (OpenID Connect: Microsoft Entra ID, Google, Keycloak and others). Save the settings, try them, and turn them on.";
    provider_on: "Activa", "On";
    provider_tried: "Probada; falta activarla", "Tried; not turned on yet";
    provider_untried: "Falta probarla: todavía no vale", "Not tried yet: it does not count";
    provider_redirect: "Dirección de retorno, para registrar en el proveedor:", "Redirect address, to be registered at the provider:";
    provider_sign_in: "Dirección para entrar, para las personas de la empresa:", "Sign-in address, for the company's people:";
    provider_try: "Probar", "Try it";
    provider_turn_on: "Activar", "Turn on";
    provider_turn_off: "Desactivar", "Turn off";
    provider_remove: "Eliminar", "Remove";
    provider_remove_title: "¿Eliminar el ingreso con la cuenta de la empresa?", "Remove sign-in with the company account?";
    provider_remove_lead: "Las personas que no tienen contraseña tendrán que pedir una en la página de ingreso, con «Olvidé mi contraseña».",
        "People without a password will have to ask for one on the sign-in page, with “I forgot my password”.";
    provider_saved: "Se guardaron los cambios. Si cambió la conexión, pruébela de nuevo: hasta entonces no vale.", "The changes were saved. If the connection changed, try it again: it does not count before.";
    provider_turned_on: "Ya se puede entrar con la cuenta de la empresa.", "People can sign in with the company account now.";
    provider_turned_off: "Ya no se entra con la cuenta de la empresa.", "People no longer sign in with the company account.";
    provider_removed: "Se eliminó el ingreso con la cuenta de la empresa.", "Sign-in with the company account was removed.";
    provider_connection: "Conexión", "Connection";
    issuer: "Emisor (issuer)", "Issuer";
    issuer_hint: "Tal como lo escribe el proveedor, por ejemplo https://login.microsoftonline.com/ID-DEL-DIRECTORIO/v2.0", "As the provider writes it, such as https://login.microsoftonline.com/TENANT-ID/v2.0";
    issuer_malformed: "Escriba una dirección https pública, o una que la instalación permita, sin «?» ni «#».", "Enter a public https address, or one that the installation allows, without “?” or “#”.";
    client_id: "ID de cliente", "Client ID";
    client_id_malformed: "Escriba el ID de cliente, en 255 caracteres como máximo.", "Enter the client ID, in 255 characters at most.";
    client_secret: "Secreto de cliente", "Client secret";
    secret_hint: "Vacío si el proveedor no dio ninguno.", "Empty if the provider gave none.";
    secret_kept: "Hay uno guardado y no se muestra. Vacío: queda el mismo.", "One is kept and is not shown. Empty: it stays the same.";
    secret_needed: "El emisor o el ID de cliente cambiaron: escriba también su secreto.", "The issuer or the client ID has changed: enter its secret, too.";
    secret_malformed: "El secreto tiene más de 1000 caracteres.", "The secret has more than 1000 characters.";
    scopes: "Permisos que se piden (scopes)", "Scopes";
    scopes_malformed: "Escriba palabras separadas por espacios, en 500 caracteres como máximo.", "Enter words separated by blanks, in 500 characters at most.";
    provider_roles: "Grupos y roles", "Groups and roles";
    provider_roles_lead: "Un grupo por línea. El rol sigue a los grupos en cada ingreso, y quien no está en ninguno no entra. Sin grupos, los roles se dan en «Personas».",
        "One group a line. The role follows the groups at each sign-in, and a person in none of them is not let in. Without groups, roles are given in “People”.";
    groups_claim: "Nombre del dato con los grupos (claim)", "Name of the claim with the groups";
    groups_claim_malformed: "Escriba el nombre del dato con los grupos.", "Enter the name of the claim with the groups.";
    groups_malformed: "Como máximo 50 grupos por rol, de 200 caracteres.", "At most 50 groups a role, of 200 characters.";
    provider_people: "Personas", "People";
    email_domains: "Dominios de correo", "Email domains";
    email_domains_hint: "Uno por línea. Con un proveedor que también usan otros, como Google, escriba los de su empresa.", "One a line. With a provider that others use too, such as Google, enter your company's.";
    email_domains_malformed: "Escriba dominios como empresa.com, 50 como máximo.", "Enter domains such as company.com, 50 at most.";
    creates_users: "Crear la cuenta de quien está en un grupo y no fue invitado", "Make an account for people in a group who were not invited";
    creates_users_without_groups: "Para crear cuentas se necesitan grupos: ellos dan el rol.", "Making accounts needs groups: they give the role.";
    trusts_email: "Dar por verificado el correo si el proveedor no dice nada", "Take the address for verified if the provider says nothing about it";
    trusts_email_hint: "Microsoft Entra ID no lo dice. Actívelo solo si nadie puede elegir su propio correo en el proveedor.", "Microsoft Entra ID does not say. Turn it on only if people cannot choose their own address at the provider.";
    provider_required: "Entrar solo así", "Sign in this way only";
    provider_required_hint: "Vale para consulta y supervisión. Quienes administran conservan su contraseña, para que una falla del proveedor no deje a todos afuera.",
        "It counts for readers and supervisors. Administrators keep their passwords, so that a failure of the provider shuts nobody out.";
    tried_title: "La prueba", "The trial";
    tried_lead: "El proveedor lo reconoció. Esto dijo de usted:", "The provider recognised you. This is what it said of you:";
    tried_refused: "El proveedor respondió, pero usted no podría entrar así:", "The provider answered, but you would not be let in:";
    tried_subject: "Identificador (sub)", "Identifier (sub)";
    tried_verified: "verificado", "verified";
    tried_unverified: "sin verificar", "not verified";
    tried_groups: "Grupos", "Groups";
    tried_no_role: "El que tenga en «Personas»", "The one in “People”";
    tried_methods: "Cómo lo reconoció (amr)", "How it recognised you (amr)";
    tried_second_factor: "con segundo paso", "with a second step";
    provider_says_nothing: "El proveedor no lo dice", "The provider does not say";
    sign_in_with_company: "Entrar con la cuenta de la empresa", "Sign in with the company account";
    sign_in_by_company_lead: "Use la cuenta que ya tiene en su empresa.", "Use the account you already have in your company.";
    sign_in_by_company_alone: "Su empresa pide entrar con su propia cuenta.", "Your company asks you to sign in with its own account.";
    for_administrators: "Para quien administra:", "For administrators:";
    refused_title: "No pudo entrar", "You could not sign in";
    refused_off: "Su empresa no usa ahora esta forma de entrar.", "Your company does not use this way to sign in now.";
    refused_stale: "El ingreso tardó demasiado, o ya se usó, o empezó en otra ventana. Empiece de nuevo.", "The sign-in took too long, was used already, or began in another window. Start again.";
    refused_denied: "El proveedor de su empresa no autorizó el ingreso.", "Your company's provider did not allow the sign-in.";
    refused_failed: "El proveedor de su empresa no respondió como se esperaba. Intente de nuevo; si sigue fallando, avise a quien administra el panel.",
        "Your company's provider did not answer as expected. Try again; if it keeps failing, tell your panel's administrator.";
    refused_no_group: "Su cuenta no está en ninguno de los grupos que pueden entrar. Pida a quien administra el panel que lo agregue.", "Your account is in none of the groups that are let in. Ask your panel's administrator to add you.";
    refused_too_many_groups: "Su cuenta está en demasiados grupos y el proveedor no los envía. Quien administra el panel puede hacer que envíe solo los de la aplicación.",
        "Your account is in so many groups that the provider does not send them. The administrator can have it send those of the application only.";
    refused_no_address: "El proveedor de su empresa no dijo cuál es su correo. Quien administra el panel puede pedirle el permiso «email».", "Your company's provider did not say what your address is. The administrator can ask it for the scope “email”.";
    refused_unverified: "El proveedor de su empresa no confirma que ese correo sea suyo.", "Your company's provider does not confirm that the address is yours.";
    refused_foreign_domain: "Con un correo de ese dominio no se entra al panel de esta empresa.", "Addresses of that domain are not let in to this company's panel.";
    refused_other_person: "Ese correo ya está vinculado a otra cuenta de la empresa. Quien administra el panel puede desvincularla en «Personas».", "That address is linked to another company account already. The administrator can unlink it in “People”.";
    refused_not_invited: "Todavía no tiene acceso al panel. Pida una invitación a quien lo administra.", "You have no access to the panel yet. Ask its administrator for an invitation.";
    refused_disabled: "Su acceso al panel está desactivado.", "Your access to the panel is off.";
    confirm_address_title: "Confirme su correo", "Confirm your address";
    confirm_address_lead: "Le enviamos un correo con un enlace. Ábralo para terminar de entrar; sirve durante una hora.", "We sent you an email with a link. Open it to finish signing in; it works for one hour.";
    user_unlink: "Desvincular la cuenta de la empresa", "Unlink the company account";
    password_none: "Usted entra con la cuenta de su empresa, sin contraseña en este panel.", "You sign in with your company's account, without a password in this panel.";
    session_too_old: "Por seguridad, salga, entre de nuevo e inténtelo en los 10 minutos siguientes.", "To be safe, sign out, sign in again, and try within the next 10 minutes.";
}

impl PanelLang {
    /// The button of a company's own sign-in.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn sign_in_by_company(self, name: &str) -> String {
        match self {
            Self::Es => format!("Entrar con la cuenta de {name}"),
            Self::En => format!("Sign in with the account of {name}"),
        }
    }
}
