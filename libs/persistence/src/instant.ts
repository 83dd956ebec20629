import { p, raw, Type } from '@mikro-orm/postgresql';

/** A `timestamptz` that is ISO 8601 in UTC in the process, as in contracts, rows and entities. */
export class InstantType extends Type<string, string> {
  private readonly digits: number | undefined;

  constructor(digits: number | undefined) {
    super();
    this.digits = digits;
  }

  override convertToJSValue(value: string): string {
    return value === null ? value : new Date(value).toISOString();
  }

  override getColumnType(): string {
    return this.digits === undefined ? 'timestamptz' : `timestamptz(${this.digits})`;
  }

  override compareAsType(): string {
    return 'string';
  }
}

/** Declares a time property with this many digits of a second; by default PostgreSQL's full precision. */
export const instant = (digits?: number) => p.type(new InstantType(digits));

/** The transaction's time by PostgreSQL's clock, of which there is one, whereas each writing process has its own. */
const now = () => raw('now()') as unknown as string;

/** Declares the time when a row was created, set automatically. */
export const createdInstant = (digits?: number) => instant(digits).returning().onCreate(now);

/** Declares the time when a row was last written, set automatically. */
export const changedInstant = (digits?: number) => instant(digits).returning().onCreate(now).onUpdate(now);
