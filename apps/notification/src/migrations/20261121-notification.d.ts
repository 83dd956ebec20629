import { Migration } from '@mikro-orm/migrations';
/** The operation log, which nobody can change (SYS-04). */
export declare class Migration20261121Notification extends Migration {
    up(): void;
}
