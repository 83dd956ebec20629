import { Migration } from '@mikro-orm/migrations';
/** Companies and organizations. */
export declare class Migration20261121Org extends Migration {
    up(): void;
}
