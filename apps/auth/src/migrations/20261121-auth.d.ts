import { Migration } from '@mikro-orm/migrations';
/** Users, roles, sessions and failed logins. */
export declare class Migration20261121Auth extends Migration {
    up(): void;
}
