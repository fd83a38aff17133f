import type pg from 'pg'

/**
 * Records in a test's database what the product's tables forget: when batches were paused and resumed, and
 * when each carried prompt left its table, with the day for which it waited. The violations in
 * engine-violations.ts are found in it.
 */
export async function installWitness(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create table test_pauses (batch_id uuid, paused_at timestamptz, resumed_at timestamptz);
    create function test_note_pause() returns trigger language plpgsql as $$ begin
      if old.paused_at is null and new.paused_at is not null then
        insert into test_pauses values (new.id, engine_now(), null);
      elsif old.paused_at is not null and new.paused_at is null then
        update test_pauses set resumed_at = engine_now()
        where batch_id = new.id and resumed_at is null;
      end if;
      return null;
    end $$;
    create trigger test_note_pause after update of paused_at on batches
      for each row execute function test_note_pause();

    create table test_admissions (video_id uuid, at timestamptz, due_at timestamptz);
    create function test_note_admission() returns trigger language plpgsql as $$ begin
      -- One that was removed and is brought back has not been admitted.
      delete from test_admissions where video_id = coalesce(old.id, new.id);
      if tg_op = 'INSERT' then return new; end if;
      insert into test_admissions select old.id, engine_now(), carries_at from batches where id = old.batch_id;
      return old;
    end $$;
    create trigger test_note_admission before insert or delete on carried_prompts
      for each row execute function test_note_admission();`)
}

/** Times of the tables are rounded to a millisecond. */
const ROUNDED = `interval '1 millisecond'`

/** Statements that must return no rows. They also read the provider's ledger (`test_ledger`). */
export const witnessed = (timeZone: string): Record<string, string> => ({
  'I18 nothing was ordered while its batch was paused': `
    select attempts.id, paused_at, attempts.created_at, resumed_at
    from test_ledger join attempts on attempts.id = test_ledger.attempt_id
      join test_pauses on test_pauses.batch_id = attempts.batch_id
    where attempts.created_at > paused_at + ${ROUNDED}
      and attempts.created_at < coalesce(resumed_at, 'infinity') - ${ROUNDED}`,
  // Cancelled ones have no unit of their first generation.
  'I23 no carried prompt was admitted before its day': `
    select video_id, at, due_at from test_admissions
    where at < due_at and exists (select 1 from quota_charges
      where quota_charges.video_id = test_admissions.video_id and generation = 1)`,
  'I23 what was carried was not ordered before the day of its unit': `
    select attempts.id, test_ledger.sent_at, day from test_ledger
      join attempts on attempts.id = test_ledger.attempt_id
      join quota_charges using (video_id, generation)
    where (test_ledger.sent_at at time zone '${timeZone}')::date < day
      and exists (select 1 from test_admissions where test_admissions.video_id = attempts.video_id)`,
})
