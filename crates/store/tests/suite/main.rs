//! One suite for both engines. The tests for one engine only are at the end.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method of one transaction's lifetime is not that of any"
)]

mod api_requests;
mod backup_tables;
mod blob_removal;
mod change_log;
mod conflicts;
mod constraints;
mod db;
mod deletions;
mod engine_gates;
mod extensions;
mod failover;
mod failures;
mod folio_lists;
mod group_commit;
mod history;
mod idempotency;
mod increment_moves;
mod inline_reads;
mod keys;
mod leases;
mod lossy_relay;
mod lost_commit;
mod old_snapshots;
mod online_migrations;
mod outbox;
mod panel;
mod panel_tenants;
mod point_in_time;
mod pooler;
mod queue;
mod races;
mod reconnect;
mod roles;
mod round_trip;
mod sample;
mod sandbox;
mod signer_sessions;
mod snapshot;
mod statement_counts;
mod tenants;
mod timeouts;
mod tls;
mod upgrade;
mod wal;
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
    sandbox::a_moved_clock_is_kept_and_no_lease_ends_sooner,
    sandbox::recipients_bounce_until_they_do_not,
    round_trip::a_folio_comes_back_with_everything,
    round_trip::folios_read_together_have_each_their_own,
    round_trip::documents_are_looked_through_page_by_page,
    round_trip::a_bulk_signature_comes_back_in_its_order,
    round_trip::what_was_written_is_there_after_reopening,
    change_log::every_act_is_logged_with_its_states_and_history,
    change_log::wrong_codes_and_lost_messages_are_logged_and_other_events_are_not,
    change_log::racing_projectors_take_every_change_once,
    change_log::counts_are_true_before_and_after_the_projector,
    change_log::projectors_add_to_the_same_stats_at_once,
    extensions::a_folio_is_leased_by_itself_the_oldest_first,
    extensions::a_lost_lease_postpones_nothing,
    extensions::what_got_no_timestamp_is_hastened_and_nothing_else,
    increment_moves::what_was_moved_is_not_appended_a_second_time,
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
    api_requests::requests_are_listed_newest_first_by_key_and_outcome,
    api_requests::the_newest_requests_of_each_outcome_are_kept_and_old_ones_deleted,
    api_requests::keys_are_found_by_their_hashes_live_or_not,
    keys::a_key_admits_while_it_is_live,
    keys::a_key_has_the_permissions_that_it_was_made_with,
    keys::keys_are_noted_by_several_instances_at_once,
    folio_lists::pages_follow_each_other_while_folios_come,
    folio_lists::words_are_found_by_their_beginnings,
    leases::a_dead_instances_work_is_taken_over_when_its_heartbeat_ends,
    leases::after_an_outage_nobody_is_taken_for_dead,
    leases::a_lease_or_heartbeat_from_the_future_has_ended,
    leases::a_code_does_not_wait_behind_what_is_leased,
    leases::work_does_not_wait_for_a_clock_that_went_back,
    leases::reminders_do_not_wait_for_a_clock_that_went_back,
    leases::a_reminder_is_not_wanted_after_the_signers_act_or_the_end,
    leases::one_instance_sweeps_and_the_next_sweep_waits_for_its_interval,
    leases::instances_that_run_are_counted_and_those_that_died_are_forgotten,
    outbox::a_message_is_taken_by_one_and_again_when_its_lease_ends,
    outbox::a_recipients_messages_are_taken_together_and_in_order,
    outbox::from_whatever_time_a_poll_begins_no_message_passes_an_earlier_one,
    outbox::codes_are_taken_before_messages_and_stand_behind_none,
    outbox::racing_takers_never_take_the_same_message,
    outbox::given_up_messages_are_listed_and_tried_again,
    outbox::the_mailbox_keeps_the_newest,
    panel::an_address_is_one_persons_and_companies_see_their_own,
    panel::sessions_are_found_rotated_and_ended,
    panel::sessions_of_a_clock_that_was_ahead_give_way,
    panel::tries_that_come_at_once_are_counted_one_by_one,
    panel::steps_codes_and_links_are_used_once,
    panel::account_emails_are_taken_by_one_and_settled,
    panel::account_emails_with_a_link_are_taken_first,
    panel::a_companys_choices_are_kept_and_count,
    panel::the_audit_is_read_backwards_and_by_its_company,
    panel::old_acts_are_deleted,
    panel::an_invitation_is_its_companys_and_says_nothing_of_accounts,
    inline_reads::an_inline_read_sees_what_is_committed_and_writes_nothing,
    inline_reads::an_inline_read_that_panics_fails_alone,
    inline_reads::an_inline_read_that_panics_half_way_leaves_nothing_open,
    inline_reads::more_inline_reads_than_connections_are_all_answered,
    inline_reads::an_inline_read_sees_one_snapshot,
    inline_reads::a_revoked_or_expired_key_is_refused_by_the_next_read,
    inline_reads::a_changed_document_is_seen_by_the_next_read,
    queue::a_full_queue_is_busy_and_recovers,
    queue::an_abandoned_transaction_is_not_begun,
    timeouts::a_timed_out_transaction_is_rolled_back,
    timeouts::a_transaction_whose_caller_left_is_rolled_back,
    timeouts::a_write_without_timeout_is_waited_for,
    snapshot::a_read_sees_one_moment,
    blob_removal::a_marked_blob_is_removed_unless_it_is_named_again,
    blob_removal::a_create_is_refused_during_a_removal,
    blob_removal::a_claim_of_which_nothing_is_heard_ends_by_itself,
    blob_removal::a_sweeper_stops_while_its_claim_is_still_sure_to_last,
    blob_removal::two_sweepers_never_take_the_same_blob,
    blob_removal::creates_and_sweepers_never_both_win,
    blob_removal::nothing_is_removed_while_a_backup_is_taken,
    blob_removal::marks_claims_and_holds_of_a_clock_that_went_back_are_past,
    signer_sessions::sessions_of_a_clock_that_was_ahead_are_not_counted,
    backup_tables::a_restored_copy_is_the_same_and_goes_on,
    backup_tables::a_failed_copy_leaves_nothing,
    backup_tables::every_table_is_copied_or_left_on_purpose,
    tenants::nothing_of_another_company_is_seen,
    tenants::nothing_of_another_company_is_changed,
    tenants::nobody_is_reminded_by_another_companys_schedule,
    tenants::nothing_of_another_company_is_erased,
    panel_tenants::no_company_reaches_anothers_people_and_settings,
    webhooks::no_company_reaches_anothers_webhooks,
    webhooks::planned_events_go_to_enabled_endpoints,
    webhooks::an_endpoint_gets_the_kinds_that_it_wants,
    webhooks::an_attempt_counts_once_however_often_it_is_written_down,
    webhooks::a_delivery_is_read_with_its_body_until_its_endpoint_is_removed,
    webhooks::many_deliveries_are_sent_again_in_their_order,
    webhooks::leased_deliveries_are_not_deleted,
    webhooks::deliveries_to_a_disabled_or_removed_endpoint_are_not_taken,
    webhooks::a_company_whose_receivers_are_slow_leaves_room_for_others,
    constraints::a_row_of_one_company_cannot_name_anothers_folio,
    constraints::a_row_of_one_company_cannot_name_anothers_person,
    constraints::a_state_or_length_that_does_not_exist_is_refused,
    deletions::old_rows_are_deleted_a_few_at_a_time,
    online_migrations::a_long_copy_is_done_in_batches_until_nothing_is_left,
    online_migrations::a_migration_that_fails_is_resumed,
    upgrade::a_database_from_before_the_first_release_is_refused_and_left_alone,
    upgrade::a_newer_database_is_refused,
    upgrade::opening_an_empty_database_at_once_works,
}
