import { Controller, Inject, Module, Res, type DynamicModule, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import type { ExportCalls, ExportOrder, ListExport } from '@carillon/contracts';
import { Handle } from '../handle.ts';
import { EXPORTED_LISTS, ListReader, type ExportedList } from './export.lists.ts';
import { ExportRetention } from './export.retention.ts';
import { ExportService } from './export.service.ts';
import { ExportWriter } from './export.writer.ts';

/** Creates the controller for the calls of a service's files. */
function filesOf(calls: ExportCalls): Type {
  @Controller()
  class ExportController {
    constructor(@Inject(ExportService) private readonly exports: ExportService) {}

    @Handle(calls.list) list() {
      return this.exports.list();
    }
    @Handle(calls.get) get({ params }: { params: { id: string } }) {
      return this.exports.get(params.id);
    }
    @Handle(calls.remove) remove({ params }: { params: { id: string } }) {
      return this.exports.remove(params.id);
    }
    @Handle(calls.file)
    async file({ params }: { params: { id: string } }, @Res({ passthrough: true }) reply: FastifyReply) {
      const { length, bytes } = await this.exports.file(params.id);
      void reply
        .header('content-length', length)
        .header('content-type', calls.file.file)
        .header('content-disposition', 'attachment; filename="list.xlsx"')
        .header('cache-control', 'no-store');
      return bytes;
    }
  }
  return ExportController;
}

/** Creates the controller for the call that orders a file of one list. */
function orderOf(list: ListExport): Type {
  @Controller()
  class ExportOrderController {
    constructor(@Inject(ExportService) private readonly exports: ExportService) {}

    @Handle(list.add) add({ body, params }: { body: unknown; params: Record<string, unknown> | undefined }) {
      return this.exports.add(list, { ...(body as ExportOrder), ...(params ? { params } : {}) });
    }
  }
  return ExportOrderController;
}

/** Exports of a service's lists (SHELL-17). */
@Module({})
export class ExportModule {
  static register(calls: ExportCalls, lists: readonly ExportedList[]): DynamicModule {
    return {
      module: ExportModule,
      imports: [DiscoveryModule],
      controllers: [filesOf(calls), ...lists.map(({ of }) => orderOf(of))],
      providers: [
        { provide: EXPORTED_LISTS, useValue: lists },
        ListReader,
        ExportService,
        ExportWriter,
        ExportRetention,
      ],
    };
  }
}
