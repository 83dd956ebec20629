import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { orgCompany } from '@carillon/contracts';
import { publishedVersions, type Bus } from '@carillon/messaging';
import { columns, currentSql, Database, platform } from '@carillon/persistence';
import { BUS } from '@carillon/service';
import { publishCompanies } from '../org.publisher.ts';
import { Company } from './company.entity.ts';

const stated = columns(Company, 'c', ['id', 'version']);

/** Publishes at the start what the topic lacks (a new bus, or new fields after an upgrade). */
@Injectable()
export class CompanyPublisher implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    @Inject(BUS) private readonly bus: Bus,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const known = await publishedVersions(this.bus, orgCompany);
    await platform(this.database, 'compare the published companies with the table', async () => {
      const rows = await currentSql().rows(stated, `select ${stated} from company c`);
      const missing = rows.filter((row) => (known.get(row.id) ?? 0) < row.version).map((row) => row.id);
      if (missing.length > 0) await publishCompanies(missing);
    });
  }
}
