import { Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { MqttGateway } from './mqtt-gateway.ts';
import type { MqttGatewayOptions } from './mqtt-gateway.ts';

export { MqttGateway } from './mqtt-gateway.ts';
export type { MqttGatewayOptions } from './mqtt-gateway.ts';
export { mqttGatewayConfig } from './config.ts';
export type { MqttGatewayConfig } from './config.ts';
export type { ClaimStore } from './claim/claim-store.ts';

/** Nest's life cycle drives the gateway's: it listens when the application is up, and drains on SIGTERM before it goes. */
@Module({})
export class MqttGatewayModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly gateway: MqttGateway) {}

  static forRoot(options: MqttGatewayOptions): DynamicModule {
    return { module: MqttGatewayModule, providers: [{ provide: MqttGateway, useFactory: () => new MqttGateway(options) }], exports: [MqttGateway] };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.gateway.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.gateway.drain();
  }
}
