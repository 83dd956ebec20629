import { gatewayActivity, type Message } from '@carillon/contracts';
/** When people last did something, as the API gateways saw it: a refresh after 30 idle minutes is refused (AUTH-08). */
export declare class SessionConsumer {
    active(messages: Message<typeof gatewayActivity>[]): Promise<void>;
}
