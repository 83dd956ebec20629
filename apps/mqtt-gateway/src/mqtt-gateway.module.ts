import { Inject, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Bus } from '@carillon/messaging';
import { createLogger, meanings, sampled, type Sample } from '@carillon/observability';
import { BUS, CONFIG, defineService, Health, REDIS, type Redis } from '@carillon/service';
import { mqttGatewayConfig, type MqttGatewayConfig } from './config.ts';
import { MqttGateway } from './mqtt-gateway.ts';

export { MqttGateway } from './mqtt-gateway.ts';
export type { MqttGatewayOptions } from './mqtt-gateway.ts';
export { mqttGatewayConfig } from './config.ts';
export type { MqttGatewayConfig } from './config.ts';
export type { ClaimStore } from './claim/claim-store.ts';

/** Nest's life cycle controls the gateway: it listens when the application is up, and drains on SIGTERM. */
@Module({
  providers: [
    {
      provide: MqttGateway,
      inject: [BUS, CONFIG, REDIS],
      useFactory: (bus: Bus, config: MqttGatewayConfig, redis: Redis | null) =>
        new MqttGateway({ bus, config, redis, log: createLogger('mqtt-gateway') }),
    },
  ],
})
export class MqttGatewayModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly gateway: MqttGateway,
    @Inject(CONFIG) config: MqttGatewayConfig,
    health: Health,
  ) {
    health.add('devices', () => {
      const { state, ready, storing, fullDisk } = gateway.stats();
      if (!ready) return `the gateway is ${state}`;
      if (fullDisk !== null) return `the disk ${fullDisk} is nearly full, messages of devices are not stored`;
      return storing.failingSince === null ? null : 'messages of devices cannot be stored';
    });
    // No device is let in then (policy/policy.ts).
    health.add('credentials', () => {
      const { ready, credentialsConfirmedAt } = gateway.stats();
      const age = Math.round((Date.now() - credentialsConfirmedAt) / 1_000);
      return ready && age > config.credentialStaleSeconds
        ? `the copy of the credentials was last complete ${age} s ago`
        : null;
    });
  }

  private stopSampling: (() => void)[] = [];

  async onApplicationBootstrap(): Promise<void> {
    await this.gateway.start();
    const samples = (event: string, by: Partial<Record<string, number>>): Sample[] =>
      Object.entries(by).map(([reason, value]) => [{ event, reason }, value ?? 0]);
    this.stopSampling = [
      sampled(meanings.connections, () => {
        const { devices, halfOpen } = this.gateway.stats();
        return [
          [{ kind: 'device' }, devices],
          [{ kind: 'halfOpen' }, halfOpen],
        ];
      }),
      sampled(meanings.uplink, () => {
        const { storing } = this.gateway.stats();
        return [
          [{ unit: 'messages' }, storing.messages],
          [{ unit: 'bytes' }, storing.bytes],
        ];
      }),
      sampled(meanings.disk, () =>
        this.gateway.stats().disks.flatMap(({ name: disk, freeBytes, totalBytes, reserveBytes }): Sample[] => [
          [{ disk, kind: 'free' }, freeBytes],
          [{ disk, kind: 'total' }, totalBytes],
          [{ disk, kind: 'reserve' }, reserveBytes],
        ]),
      ),
      sampled(meanings.gateway, () => {
        const { accepted, received, invalid, written, frozen, refused, faults, dropped, ended } = this.gateway.stats();
        return [
          ...samples('connection', { accepted, frozen }),
          ...samples('message', { received, invalid }),
          ...samples('command', { written }),
          ...samples('refused', refused),
          ...samples('fault', faults),
          ...samples('dropped', dropped),
          ...samples('ended', ended),
        ];
      }),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.gateway.drain();
    for (const stop of this.stopSampling) stop();
  }
}

export const mqttGatewayService = defineService({
  name: 'mqtt-gateway',
  module: MqttGatewayModule,
  config: mqttGatewayConfig,
});
