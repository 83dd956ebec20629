import { defineEntity, p } from '@mikro-orm/postgresql';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { column, columnNames, columns, computed, tableName, type RowOf } from './columns.ts';
import { instant } from './instant.ts';

const PhoneSchema = defineEntity({
  name: 'Phone',
  tableName: 'phone',
  properties: {
    id: p.uuid().primary(),
    orgId: p.uuid(),
    label: p.string().fieldName('name'),
    online: p.boolean().default(false),
    version: p.bigint('number'),
    seenAt: instant(3).strictNullable(),
    createdAt: instant(),
  },
});
class Phone extends PhoneSchema.class {}
PhoneSchema.setClass(Phone);

const list = columns(Phone, 'p', ['id', 'orgId', 'label', 'online', 'version', 'seenAt'], {
  calls: computed<number>('(select count(*) from call)'),
  called: computed<number | null>('(select max(seconds) from call)', (text: string) => Number(text)),
  since: column(Phone, 'p', 'createdAt'),
});

describe('the columns of an entity', () => {
  it('are listed by the names of its properties', () => {
    expect(`${list}`).toBe(
      'p.id, p.org_id as "orgId", p.name as "label", p.online, p.version, p.seen_at as "seenAt", ' +
        '(select count(*) from call) as "calls", (select max(seconds) from call) as "called", p.created_at as "since"',
    );
    expect(`${columns(PhoneSchema, 'phone', ['createdAt'])}`).toBe('phone.created_at as "createdAt"');
  });

  it('have their names for conditions and inserts', () => {
    const phone = columnNames(Phone, 'p');
    expect([phone.orgId, phone.label]).toEqual(['p.org_id', 'p.name']);
    expect(columnNames(Phone).orgId).toBe('org_id');
    expect([tableName(Phone), tableName(PhoneSchema)]).toEqual(['phone', 'phone']);
    expect(() =>
      tableName(
        class Other {
          readonly id = '';
        },
      ),
    ).toThrow('Other is no entity');
  });

  it('are read as the types of the entity', () => {
    const time = '2026-11-21 10:00:00.5+00';
    const row = { id: 'a', version: '7', seenAt: time, called: '3', since: time };
    const read = '2026-11-21T10:00:00.500Z';
    expect(list.read(row)).toEqual({ id: 'a', version: 7, seenAt: read, called: 3, since: read });
    const without = { version: '7', seenAt: null, called: null, since: time };
    expect(list.read(without)).toEqual({ version: 7, seenAt: null, called: null, since: read });
  });

  it('have the types of the entity and no others', () => {
    expectTypeOf<RowOf<typeof list>>().branded.toEqualTypeOf<{
      id: string;
      orgId: string;
      label: string;
      online: boolean;
      version: number;
      seenAt: string | null;
      calls: number;
      called: number | null;
      since: string;
    }>();
    // @ts-expect-error the entity has no such property
    expect(() => columns(Phone, 'p', ['mac'])).toThrow('Phone has no mac');
    // @ts-expect-error it is called label; the column is not what a statement is written with
    expect(() => columns(Phone, 'p', ['name'])).toThrow('Phone has no name');
    // @ts-expect-error the same for one
    expect(() => column(Phone, 'p', 'mac')).toThrow('Phone has no mac');
    // @ts-expect-error the same for names
    expect(columnNames(Phone, 'p').mac).toBeUndefined();
    // @ts-expect-error a row has what was listed
    expect(list.read({ version: '7', seenAt: null, called: null, since: '2026-11-21' }).createdAt).toBeUndefined();
  });
});
