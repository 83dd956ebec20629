import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { ExportOrder, ListExport } from '@carillon/contracts';
import { Database, sessionOf, transaction } from '@carillon/persistence';
import { runAs, type Context } from '@carillon/tenancy';
import { routeMetadata } from '../handle.ts';

type Listed = Readonly<Record<string, unknown>>;
/** A part of a list: the total number of records, and some of them. */
export interface Read {
  total: number;
  records: readonly Listed[];
}

/** How to read a list that is too long for its pages: first all ids, then records in parts. */
export interface ExportSource {
  ids(wanted: ExportOrder): Promise<readonly string[]>;
  records(ids: readonly string[]): Promise<readonly Listed[]>;
}
export interface ExportedList {
  of: ListExport;
  source?: ExportSource;
}
export const EXPORTED_LISTS = Symbol('exported lists');

const pageRows = 1_000;
const sourceRows = 500;
type Handler = (input: object) => Promise<{ records: Listed[]; total: number }>;
/** Returns the id of a record, which a selection names. */
const idOf = (list: ListExport, record: Listed): string => String(record[list.idOf]);

/** Reads a list with the permissions of the user who ordered the file, in the requested order. */
@Injectable()
export class ListReader {
  constructor(
    @Inject(EXPORTED_LISTS) private readonly lists: readonly ExportedList[],
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(Database) private readonly database: Database,
  ) {}

  listOf(path: string): ExportedList | undefined {
    return this.lists.find(({ of }) => of.add.path === path);
  }

  read(list: ExportedList, maker: Context, wanted: ExportOrder): AsyncGenerator<Read> {
    return list.source ? this.parts(list, list.source, maker, wanted) : this.pages(list.of, maker, wanted);
  }

  /** Reads nothing, but fails as the list does when the caller does not see the parent of its path. */
  async check(list: ListExport, params: ExportOrder['params']): Promise<void> {
    if (params) await this.handlerOf(list)({ query: { page: 1, limit: 1 }, params });
  }

  /** Reads the call's own pages in one snapshot, so that concurrent changes do not shift them. */
  private async *pages(list: ListExport, maker: Context, wanted: ExportOrder): AsyncGenerator<Read> {
    const handle = this.handlerOf(list);
    const { ids, filter = {}, params, exclude = [], sort } = wanted;
    const left = ids && new Set(ids);
    const out = new Set(exclude);
    const { inside, end } = await this.snapshot(maker);
    try {
      for (let page = 1; ; page += 1) {
        const query = { ...filter, ...(sort === undefined ? {} : { sort }), page, limit: pageRows };
        const { records, total } = await inside(() => handle({ query, params }));
        yield {
          total: ids ? ids.length : Math.max(0, total - out.size),
          records: records.filter((r) => (left ? left.delete(idOf(list, r)) : !out.has(idOf(list, r)))),
        };
        if (records.length === 0 || page * pageRows >= total || left?.size === 0) break;
      }
    } finally {
      await end();
    }
  }

  /** Reads records in their current state. New ones are not in the file, deleted ones are left out. */
  private async *parts(
    { of }: ExportedList,
    source: ExportSource,
    maker: Context,
    wanted: ExportOrder,
  ): AsyncGenerator<Read> {
    const seen = <T>(work: () => Promise<T>): Promise<T> =>
      runAs(maker, () => transaction(this.database, sessionOf(maker), work, { readOnly: true, job: true }));
    const out = new Set(wanted.exclude);
    const ids = (await seen(() => source.ids(wanted))).filter((id) => !out.has(id));
    yield { total: ids.length, records: [] };
    for (let at = 0; at < ids.length; at += sourceRows) {
      const part = ids.slice(at, at + sourceRows);
      const records = await seen(() => source.records(part));
      const byId = new Map(records.map((r) => [idOf(of, r), r] as const));
      yield { total: ids.length, records: part.map((id) => byId.get(id)).filter((r) => r !== undefined) };
    }
  }

  /** Opens a transaction that stays open while others run beside it. */
  private async snapshot(maker: Context) {
    const begun = Promise.withResolvers<ReturnType<typeof AsyncLocalStorage.snapshot>>();
    const ended = Promise.withResolvers<void>();
    const hold = async (): Promise<void> => {
      begun.resolve(AsyncLocalStorage.snapshot());
      await ended.promise;
    };
    const all = runAs(maker, () =>
      transaction(this.database, sessionOf(maker), hold, { readOnly: true, snapshot: true, job: true }),
    );
    all.catch(begun.reject);
    const inside = await begun.promise;
    return {
      inside: <T>(work: () => Promise<T>): Promise<T> => inside(work) as Promise<T>,
      end: async () => {
        ended.resolve();
        await all;
      },
    };
  }

  /** Returns the controller method that answers the list. */
  private handlerOf({ list }: ListExport): Handler {
    for (const { instance } of this.discovery.getControllers()) {
      const prototype = Object.getPrototypeOf(instance ?? {}) as Record<string, unknown>;
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as Handler | undefined;
        if (typeof method === 'function' && Reflect.getMetadata(routeMetadata, method) === list)
          return async (input) => list.response.parse(await method.call(instance, input)) as ReturnType<Handler>;
      }
    }
    throw new Error(`nothing here answers ${list.path}`);
  }
}
