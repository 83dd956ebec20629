import { p, raw, Type } from '@mikro-orm/postgresql';

/** A `timestamptz` that is ISO 8601 in UTC in the process: what contracts, rows and entities all have. */
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

/** The property of an entity for a time, with so many digits of a second; all that PostgreSQL has when not said. */
export const instant = (digits?: number) => p.type(new InstantType(digits));

/** The time of the transaction by PostgreSQL's clock: there is one of it, and one of each process that writes. */
const now = () => raw('now()') as unknown as string;

/** When a row was made, by itself. */
export const createdInstant = (digits?: number) => instant(digits).returning().onCreate(now);

/** When a row was written last, by itself. */
export const changedInstant = (digits?: number) => instant(digits).returning().onCreate(now).onUpdate(now);
