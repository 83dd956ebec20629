import { Injectable } from '@nestjs/common';
import { Database, inCompany } from '@carillon/persistence';
import { endFirstAccesses } from '../first-access/first-access.queries.ts';
import { loadingDevices, type LoadingDevice } from './device-config.queries.ts';

/** What one request makes of its device, which is undefined when it may load nothing. It only reads. */
export type Reading<T> = (one: LoadingDevice | undefined) => Promise<ReadLoad<T>>;
export interface ReadLoad<T> {
  answer: T;
  /** The IP address from which the device proved that its first access has ended; stored before the answer is given. */
  firstEndedFrom?: string;
}

interface Waiting {
  id: string;
  /** Returns what gives the answer, and the end of a first access that is to be stored before. */
  read: (one: LoadingDevice | undefined) => Promise<{ give: () => void; firstEndedFrom?: string | undefined }>;
  fail: (reason: unknown) => void;
}

/**
 * Reads devices for requests that begin at the same time, those of a company in one transaction with one statement:
 * when all phones of a site start at once, a transaction for each costs more than their files.
 */
@Injectable()
export class LoadingDevices {
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(private readonly database: Database) {}

  /** Returns the answer of `reading` for a device of a company, in a transaction of this company. */
  read<T>(companyId: string, id: string, reading: Reading<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const read: Waiting['read'] = async (device) => {
        const { answer, firstEndedFrom } = await reading(device);
        return { give: () => resolve(answer), firstEndedFrom };
      };
      const one = { id, read, fail: reject };
      const others = this.waiting.get(companyId);
      if (others) {
        others.push(one);
        return;
      }
      const all = [one];
      this.waiting.set(companyId, all);
      setImmediate(() => {
        this.waiting.delete(companyId);
        void this.readAll(companyId, all);
      });
    });
  }

  private async readAll(companyId: string, all: readonly Waiting[]): Promise<void> {
    try {
      for (const give of await inCompany(this.database, companyId, () => readTogether(companyId, all))) give();
    } catch (err) {
      for (const { fail } of all) fail(err);
    }
  }
}

/** Returns what gives the answers once the transaction has been committed. */
async function readTogether(companyId: string, all: readonly Waiting[]): Promise<(() => void)[]> {
  const devices = await loadingDevices([...new Set(all.map(({ id }) => id))]);
  const ended = new Map<string, string>();
  const gives: (() => void)[] = [];
  for (const { id, read, fail } of all)
    try {
      const { give, firstEndedFrom } = await read(devices.get(id));
      if (firstEndedFrom !== undefined) ended.set(id, firstEndedFrom);
      gives.push(give);
    } catch (err) {
      fail(err);
    }
  await endFirstAccesses(companyId, ended);
  return gives;
}
