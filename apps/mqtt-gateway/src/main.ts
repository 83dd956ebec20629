import { runService } from '@carillon/service';
import { mqttGatewayService } from './mqtt-gateway.module.ts';
await runService(mqttGatewayService);
