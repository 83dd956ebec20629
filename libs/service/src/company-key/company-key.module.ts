import { Controller, Inject, type Provider, type Type } from '@nestjs/common';
import type { z } from 'zod';
import type { CompanyKeyRoutes } from '@carillon/contracts';
import { Database } from '@carillon/persistence';
import { CompanySecrets } from '../company-secrets.ts';
import { defineConfig, whole } from '../config.ts';
import { Handle } from '../handle.ts';
import { CONFIG } from '../runtime.module.ts';
import { KeyRenewals } from './key-renewals.ts';
import type { SealedTable } from './sealed-table.ts';

/** Settings of services that keep secrets of companies. */
export const companyKeyConfig = defineConfig({
  keyTickMs: whole(5_000, 10).describe('How often companies are looked for that are to have a new key.'),
  keyLeaseSeconds: whole(60, 1).describe(
    'After so long without a sign of life, who encrypts secrets of a company with its new key is taken for dead, and another goes on.',
  ),
  keyGraceSeconds: whole(60).describe(
    'So long the old key of a company is kept when nothing is encrypted with it any more, for who reads at that moment.',
  ),
});
interface KeyConfig extends z.output<typeof companyKeyConfig> {
  dataKey: Buffer;
}

/** Creates the controller for the calls that change a service's company key. */
export function companyKeyController(routes: CompanyKeyRoutes): Type<unknown> {
  @Controller()
  class CompanyKeyController {
    constructor(@Inject(KeyRenewals) private readonly renewals: KeyRenewals) {}

    @Handle(routes.get) get() {
      return this.renewals.companyKey();
    }
    @Handle(routes.renew) renew() {
      return this.renewals.renew();
    }
  }
  return CompanyKeyController;
}

/** Returns the providers of such a service: its secrets, and the renewal of their keys. */
export const companyKeyProviders = (name: string, tables: readonly SealedTable[]): Provider[] => [
  { provide: CompanySecrets, inject: [CONFIG], useFactory: ({ dataKey }: KeyConfig) => new CompanySecrets(dataKey) },
  {
    provide: KeyRenewals,
    inject: [Database, CompanySecrets, CONFIG],
    useFactory: (database: Database, secrets: CompanySecrets, config: KeyConfig) =>
      new KeyRenewals(database, secrets, {
        name,
        tables,
        tickMs: config.keyTickMs,
        leaseSeconds: config.keyLeaseSeconds,
        graceSeconds: config.keyGraceSeconds,
      }),
  },
];
