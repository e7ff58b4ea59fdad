//! One suite for both engines. What only one of them can do stands at the end.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method of one transaction's lifetime is not that of any"
)]

mod blocks;
mod change_log;
mod copying;
mod db;
mod extensions;
mod failures;
mod group_commit;
mod history;
mod idempotency;
mod inline_reads;
mod keys;
mod lists;
mod many_statements;
mod outbox;
mod patience;
mod people;
mod queue;
mod races;
mod round_trip;
mod sample;
mod server_lost;
mod snapshot;
mod strangers;
mod sweeping;
mod tenants;
mod tls;
mod upgrade;
mod webhooks;

macro_rules! on_both_engines {
    ($($module:ident::$test:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $test() {
                crate::$module::$test(&crate::db::Db::sqlite());
            })*
        }

        mod postgres {
            $(#[test]
            fn $test() {
                crate::$module::$test(&crate::db::Db::postgres());
            })*
        }
    };
}

on_both_engines! {
    round_trip::a_folio_comes_back_with_everything,
    round_trip::folios_read_together_have_each_their_own,
    round_trip::documents_are_looked_through_page_by_page,
    round_trip::a_bulk_signature_comes_back_in_its_order,
    round_trip::what_was_written_is_there_after_reopening,
    change_log::every_act_is_logged_with_its_states_and_history,
    change_log::wrong_codes_and_lost_messages_are_logged_and_other_events_are_not,
    change_log::racing_clerks_take_every_change_once,
    change_log::counts_are_true_before_and_after_the_clerk,
    change_log::clerks_add_to_the_same_figures_at_once,
    extensions::a_folio_is_leased_by_itself_the_oldest_first,
    extensions::whoever_lost_a_lease_puts_nothing_off,
    failures::names_and_identifiers_are_taken_once,
    failures::a_panic_fails_alone,
    failures::a_failed_act_leaves_nothing,
    failures::an_attempt_fails_without_the_rest,
    failures::what_is_answered_well_is_there,
    races::racing_cancels_have_one_winner,
    races::cancel_against_sign_has_one_winner,
    races::cancel_against_resend_leaves_a_whole_history,
    races::overlapping_cancels_in_opposite_order_both_end,
    races::a_change_made_from_an_old_state_is_refused,
    history::appending_at_once_keeps_every_chain_whole,
    history::events_of_unknown_folios_are_passed_over,
    history::an_event_has_a_code_that_the_database_cannot_make,
    history::no_event_is_written_without_the_key,
    idempotency::of_racing_claims_one_is_answered,
    idempotency::a_key_belongs_to_its_request_company_and_time,
    keys::a_key_admits_while_it_is_live,
    keys::keys_are_noted_by_several_instances_at_once,
    lists::pages_follow_each_other_while_folios_come,
    lists::words_are_found_by_their_beginnings,
    outbox::a_message_is_taken_by_one_and_again_when_its_lease_ends,
    outbox::a_recipients_messages_are_taken_together_and_in_order,
    outbox::codes_are_taken_before_letters_and_behind_none_that_is_due,
    outbox::racing_takers_never_take_the_same_message,
    outbox::given_up_messages_are_listed_and_tried_again,
    outbox::the_mailbox_keeps_the_newest,
    people::an_address_is_one_persons_and_companies_see_their_own,
    people::sessions_are_found_rotated_and_ended,
    people::tries_that_come_at_once_are_counted_one_by_one,
    people::steps_codes_and_links_are_used_once,
    people::letters_are_taken_by_one_and_settled,
    people::a_companys_choices_are_kept_and_count,
    people::the_audit_is_read_backwards_and_by_its_company,
    people::old_acts_are_forgotten,
    people::an_invitation_is_its_companys_and_says_nothing_of_accounts,
    inline_reads::an_inline_read_sees_what_is_committed_and_writes_nothing,
    inline_reads::an_inline_read_that_panics_fails_alone,
    inline_reads::an_inline_read_that_panics_half_way_leaves_nothing_open,
    inline_reads::more_inline_reads_than_connections_are_all_answered,
    inline_reads::an_inline_read_sees_one_snapshot,
    inline_reads::a_revoked_or_expired_key_is_refused_by_the_next_read,
    inline_reads::a_changed_document_is_seen_by_the_next_read,
    queue::a_full_queue_is_busy_and_recovers,
    queue::what_nobody_waits_for_is_not_begun,
    patience::what_is_given_up_while_it_runs_is_rolled_back,
    patience::what_loses_its_caller_while_it_runs_is_rolled_back,
    patience::what_must_be_known_is_waited_for_however_long_it_takes,
    snapshot::a_read_sees_one_moment,
    sweeping::a_doomed_blob_goes_unless_it_is_named_again,
    sweeping::a_create_is_put_off_around_a_removal,
    sweeping::two_sweepers_never_take_the_same_blob,
    sweeping::creates_and_sweepers_never_both_win,
    sweeping::nothing_is_removed_while_a_backup_is_taken,
    copying::a_copy_is_the_same_and_goes_on,
    copying::a_failed_copy_leaves_nothing,
    copying::every_table_is_copied_or_left_on_purpose,
    tenants::nothing_of_another_company_is_seen,
    tenants::nothing_of_another_company_is_changed,
    strangers::nobody_reaches_anothers_people_and_settings,
    webhooks::nobody_reaches_anothers_webhooks,
    webhooks::what_is_planned_goes_to_those_who_listen,
    webhooks::an_attempt_counts_once_however_often_it_is_written_down,
    webhooks::what_is_on_its_way_is_not_forgotten,
    webhooks::what_waits_for_a_disabled_or_removed_address_is_nobodys_work,
    webhooks::a_company_whose_receivers_are_slow_leaves_room_for_others,
    upgrade::a_database_of_the_first_migration_keeps_everything,
    upgrade::a_database_with_events_from_before_the_first_release_is_refused,
    upgrade::a_database_with_other_migrations_is_refused,
    upgrade::a_newer_database_is_refused,
    upgrade::opening_an_empty_database_at_once_works,
}
