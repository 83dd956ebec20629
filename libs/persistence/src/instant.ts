import { p, Type } from '@mikro-orm/postgresql';

/** A `timestamptz` that is ISO 8601 in UTC in the process: what contracts, rows and entities all have. */
export class InstantType extends Type<string, string> {
  constructor(private readonly digits: number | undefined) {
    super();
  }

  override convertToJSValue(value: string): string {
    return value === null ? value : new Date(value).toISOString();
  }

  override getColumnType(): string {
    return this.digits === undefined ? 'timestamptz' : `timestamptz(${this.digits})`;
  }

  /** The database's clock is the only one: whatever is not a time is an expression, such as `now()`. */
  override compareAsType(): string {
    return 'string';
  }
}

/** The property of an entity for a time, with so many digits of a second; all that PostgreSQL has when not said. */
export const instant = (digits?: number) => p.type(new InstantType(digits));
