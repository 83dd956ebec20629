import pg from 'pg';
import { testDatabase } from '@carillon/testing';
import { busSuite } from '@carillon/testing/bus';
import { open } from './postgres.conformance.ts';
import { migrateBus, type PostgresBus } from './postgres.ts';

busSuite('log in PostgreSQL', {
  module: new URL('./postgres.conformance.ts', import.meta.url).href,
  open,
  async fresh() {
    const url = await testDatabase('bus');
    await migrateBus({ connectionString: url });
    return url;
  },
  compact: (bus) => (bus as PostgresBus).cleanUp(),
  async cut(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
      `,
    );
    await client.end();
  },
});
