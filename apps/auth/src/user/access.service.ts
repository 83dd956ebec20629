import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { authAccess } from '@carillon/contracts';
import { publishedVersions, type Bus } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { Database, platform } from '@carillon/persistence';
import { BUS } from '@carillon/service';
import { publishAccess } from './access.publisher.ts';
import { accessRows } from './user.queries.ts';

const log = createLogger('auth');

/** Implements `state:republish`: publishes the access of all users again, for a new or damaged copy. */
export function republishAccess(database: Database): Promise<void> {
  return platform(database, 'republish the access of all users', async () => publishAccess(await accessRows()));
}

/** Publishes at the start what the topic lacks (a new or restored bus). */
@Injectable()
export class AccessPublisher implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    @Inject(BUS) private readonly bus: Bus,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const known = await publishedVersions(this.bus, authAccess);
    await platform(this.database, 'compare the published access with the users', async () => {
      const missing = (await accessRows()).filter((row) => (known.get(row.userId) ?? 0) < row.version);
      if (missing.length > 0) log.info({ users: missing.length }, 'access published again');
      await publishAccess(missing);
    });
  }
}
