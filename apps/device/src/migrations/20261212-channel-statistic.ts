import { Migration } from '@mikro-orm/migrations';

/** Sums of the devices of each channel, for its parent company. */
export class Migration20261212DeviceChannelStatistic extends Migration {
  override up(): void {
    this.addSql(`
      create table "channel_statistic" (
        "id" uuid not null, "company_id" uuid not null, "devices" int not null, "online" int not null,
        "offline" int not null, "abnormal" int not null, "not_configured" int not null, "below" int not null,
        "below_abnormal" int not null, "below_offline" int not null, primary key ("id")
      )
    `);
    this.addSql('create index "channel_statistic_company" on "channel_statistic" ("company_id")');
    this.addSql('alter table "channel_statistic" enable row level security');
    this.addSql('alter table "channel_statistic" force row level security');
    this.addSql(`
      create policy "channel_statistic_company_policy" on "channel_statistic"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
