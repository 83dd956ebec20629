import type { RouteOutput } from '@carillon/contracts';
import { remote } from '../../../kit/api/call.ts';

export const listDeliveries = remote('listDeliveries', 'GET /api/f/device/delivery/list');
export const deleteDeliveries = remote('deleteDeliveries', 'DELETE /api/f/device/delivery');

export type Delivery = RouteOutput<typeof listDeliveries>['records'][number];
