import { type MenuItem } from '@carillon/contracts';
export declare class MenuController {
    route(): MenuItem[];
    buttons(): string[];
}
