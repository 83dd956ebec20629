import { Migration } from '@mikro-orm/migrations';

/** Where a device said its hello, to see when two devices use one identity. */
export class Migration20261207DeviceSharedIdentity extends Migration {
  override up(): void {
    this.addSql(
      `alter table "device" add column "place" jsonb null, add column "place_before" jsonb null,
        add column "place_changed_at" timestamptz null, add column "shared_at" timestamptz null`,
    );
  }
}
