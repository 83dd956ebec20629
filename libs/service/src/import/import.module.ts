import { Controller, Inject, Injectable, Res, type Provider, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { importDays } from '@carillon/contracts/constants';

export { importBodyLimit } from '@carillon/contracts/constants';
import type { ImportRoutes, RouteInput } from '@carillon/contracts';
import { currentSql, Database } from '@carillon/persistence';
import { Handle } from '../handle.ts';
import { Retention } from '../retention.ts';
import { ImportRunner } from './import.runner.ts';
import { ImportSetting } from './import.setting.ts';
import { ImportService } from './import.service.ts';
import type { Importer } from './importer.ts';

/** Deletes the rows of an import once it can no longer be undone. */
@Injectable()
class ImportRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: `forget imports after ${importDays} days`,
      everyMs: 3_600_000,
      atOnce: 20,
      forget: async () =>
        (
          await currentSql().query(
            `
              delete from import
              where id = any (
                select id from import
                where created_at < now() - make_interval(days => $1) and status not in ('running', 'undoing')
                limit 20
              )
            `,
            [importDays],
          )
        ).rowCount,
    });
  }
}

/** Returns the providers of a service with imports. */
export const importProviders = (importers: readonly Type<Importer>[]): Provider[] => [
  ...importers,
  {
    provide: ImportRunner,
    inject: [Database, ...importers],
    useFactory: (database: Database, ...all: Importer[]) => new ImportRunner(database, all),
  },
  ImportSetting,
  {
    provide: ImportService,
    inject: [Database, ImportRunner, ImportSetting, ...importers],
    useFactory: (database: Database, runner: ImportRunner, setting: ImportSetting, ...all: Importer[]) =>
      new ImportService(database, runner, setting, all),
  },
  ImportRetention,
];

const sent = (bytes: Buffer, reply: FastifyReply, type: string, name: string): Buffer => {
  void reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${name}.xlsx"`)
    .header('cache-control', 'no-store');
  return bytes;
};

/** Creates the controller for the calls that import a noun. */
export function importController(noun: string, routes: ImportRoutes): Type<unknown> {
  @Controller()
  class ImportController {
    constructor(@Inject(ImportService) private readonly imports: ImportService) {}

    @Handle(routes.add) add({ body }: RouteInput<ImportRoutes['add']>) {
      return this.imports.add(noun, body);
    }
    @Handle(routes.list) list() {
      return this.imports.list(noun);
    }
    @Handle(routes.get) get({ params }: RouteInput<ImportRoutes['get']>) {
      return this.imports.get(noun, params.id);
    }
    @Handle(routes.rows) rows({ params, query }: RouteInput<ImportRoutes['rows']>) {
      return this.imports.rows(noun, params.id, query);
    }
    @Handle(routes.mend) mend({ params, body }: RouteInput<ImportRoutes['mend']>) {
      return this.imports.mend(noun, params.id, params.number, body.cells);
    }
    @Handle(routes.commit) commit({ params }: RouteInput<ImportRoutes['commit']>) {
      return this.imports.commit(noun, params.id);
    }
    @Handle(routes.undo) undo({ params }: RouteInput<ImportRoutes['undo']>) {
      return this.imports.undo(noun, params.id);
    }
    @Handle(routes.remove) remove({ params }: RouteInput<ImportRoutes['remove']>) {
      return this.imports.remove(noun, params.id);
    }

    @Handle(routes.template)
    async template(_: RouteInput<ImportRoutes['template']>, @Res({ passthrough: true }) reply: FastifyReply) {
      return sent(await this.imports.template(noun), reply, routes.template.file, 'template');
    }

    @Handle(routes.file)
    async file(
      { params }: RouteInput<ImportRoutes['file']>,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer> {
      return sent(await this.imports.file(noun, params.id), reply, routes.file.file, 'errors');
    }
  }
  return ImportController;
}
