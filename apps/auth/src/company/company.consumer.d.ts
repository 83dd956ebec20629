import { orgCompany, type Message } from '@carillon/contracts';
/** Names of companies, for who asks who he is. */
export declare class CompanyConsumer {
    copy(messages: Message<typeof orgCompany>[]): Promise<void>;
}
