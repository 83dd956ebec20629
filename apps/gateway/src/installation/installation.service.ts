import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { licenseConfig, type SystemInfo } from '@carillon/contracts';
import { type Bus, type BusRecord, type FanoutConsumer } from '@carillon/messaging';
import { BUS } from '@carillon/service';
import { readRecord } from '../access/feed.ts';

const defaults: SystemInfo = {
  systemName: null,
  abbreviatedName: null,
  copyright: null,
  logo: null,
  loginImage: null,
  favicon: null,
};

/**
 * A copy of the operator's public settings (SYS-01) for `/carillon.json`, which the first page shows before the login.
 */
@Injectable()
export class InstallationCopy implements OnModuleInit, OnApplicationShutdown {
  info: SystemInfo = defaults;
  /** Hosts whose pages may be shown in a frame of the console. */
  frameHosts: readonly string[] = [];
  private feed: FanoutConsumer | undefined;

  constructor(@Inject(BUS) private readonly bus: Bus) {}

  async onModuleInit(): Promise<void> {
    this.feed = await this.bus.fanout({
      topics: [licenseConfig.name],
      from: 'start',
      handle: ({ records }) => {
        for (const record of records) this.take(record);
      },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.feed?.close();
  }

  private take(record: BusRecord): void {
    const message = readRecord(licenseConfig, record);
    if (!message || message === 'unreadable') return;
    if (message.type === 'public') this.info = (message.data as SystemInfo | null) ?? defaults;
    else if (message.type === 'frameHosts') this.frameHosts = (message.data as string[] | null) ?? [];
  }
}
