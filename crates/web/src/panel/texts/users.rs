//! The company's people.

use crate::page::{PanelLang, panel_texts};
use domain::Role;

panel_texts! {
    users_title: "Personas", "People";
    users_lead: "Quiénes entran a este panel y qué puede hacer cada quien.", "Who signs in to this panel, and what each may do.";
    user_name: "Nombre", "Name";
    user_role: "Rol", "Role";
    user_state: "Estado", "State";
    user_last: "Último ingreso", "Last sign-in";
    user_you: "usted", "you";
    user_state_active: "Activa", "Active";
    user_state_invited: "Invitada", "Invited";
    user_state_disabled: "Sin acceso", "No access";
    user_two_steps: "dos pasos", "two-step";
    invite_title: "Invitar a alguien", "Invite somebody";
    invite_lead: "Recibirá un correo con un enlace para elegir su contraseña. El enlace sirve durante una hora.",
        "They will get an email with a link to choose their password. The link works for one hour.";
    invite: "Enviar la invitación", "Send the invitation";
    user_invited: "Si el correo se puede invitar, el mensaje va en camino. La invitación queda pendiente hasta que la persona elija su contraseña.",
        "If the address can be invited, the email is on its way. The invitation stays pending until the person chooses a password.";
    invitations_title: "Invitaciones pendientes", "Pending invitations";
    invitations_lead: "Aún no eligieron su contraseña. Una invitación que nadie acepta se borra a los 30 días.",
        "They have not chosen a password yet. An invitation that nobody accepts is removed after 30 days.";
    invitation_sent: "Enviada", "Sent";
    invitation_acts: "Acciones", "Actions";
    invitation_resend: "Enviar otra vez", "Send again";
    invitation_withdraw: "Retirar", "Withdraw";
    invitation_withdrawn: "La invitación se retiró: su enlace ya no sirve.", "The invitation was withdrawn: its link no longer works.";
    user_changed: "Se guardó el cambio.", "The change was made.";
    user_same: "Ya estaba así: no se cambió nada.", "It was so already: nothing was changed.";
    email_malformed: "Escriba un correo electrónico completo.", "Enter a whole email address.";
    email_taken: "Ese correo ya es de una persona de su empresa, o ya tiene una invitación pendiente.", "That address is of one of your company's people already, or has a pending invitation.";
    users_full: "La empresa ya tiene el máximo de personas.", "The company has as many people as it can have.";
    name_malformed: "Escriba el nombre completo.", "Enter the full name.";
    role_reader_lead: "Ve folios, documentos, historial y constancias.", "Sees folios, documents, histories and evidence.";
    role_supervisor_lead: "Además crea, reenvía, anula y aprueba folios.", "Also creates, resends, cancels and approves folios.";
    role_administrator_lead: "Además retira folios y administra llaves, personas y la empresa.", "Also drops folios, and looks after keys, people and the company.";
    role_change: "Cambiar el rol", "Change the role";
    role_change_lead: "Sus sesiones se cerrarán: tendrá que entrar de nuevo.", "Their sessions will end: they will have to sign in again.";
    last_administrator: "Es la única persona que administra el panel. Nombre antes a otra.", "This is the panel's only administrator. Name another first.";
    user_access: "Acceso", "Access";
    user_invite_again: "Enviar otra invitación", "Send another invitation";
    user_disable: "Quitar el acceso", "Take access away";
    user_disable_title: "¿Quitar el acceso a esta persona?", "Take this person's access away?";
    user_disable_lead: "No podrá entrar, y sus sesiones abiertas se cerrarán ya. Puede devolverle el acceso cuando quiera.",
        "They will not be able to sign in, and their open sessions end at once. You can give access back at any time.";
    user_enable: "Devolver el acceso", "Give access back";
    user_second_factor: "Quitar la verificación en dos pasos", "Take two-step verification off";
    user_second_factor_title: "¿Quitar la verificación en dos pasos de esta persona?", "Take off this person's two-step verification?";
    user_second_factor_lead: "Hágalo solo si perdió su celular y sus códigos, y usted comprobó que es ella. Entrará solo con su contraseña.",
        "Do it only if they lost their phone and their codes, and you made sure it is them. They will sign in with the password alone.";
    own_second_factor: "Su propia verificación en dos pasos se desactiva en «Mi cuenta», con su contraseña y un código.",
        "You turn your own two-step verification off in “My account”, with your password and a code.";
}

impl PanelLang {
    /// The button that takes back a change of that person.
    pub(crate) fn undo(self, name: &str) -> String {
        match self {
            Self::Es => format!("Deshacer el cambio de {name}"),
            Self::En => format!("Undo the change to {name}"),
        }
    }

    /// The roles: the word of each, its name, and what it may do.
    pub(crate) fn roles(self) -> [(&'static str, &'static str, &'static str); 3] {
        Role::ALL.map(|role| {
            let lead = match role {
                Role::Reader => self.role_reader_lead(),
                Role::Supervisor => self.role_supervisor_lead(),
                Role::Administrator => self.role_administrator_lead(),
            };
            (role.word(), self.role(role), lead)
        })
    }
}
