export declare class OrganizationController {
    /** What the organization switcher offers: the policies leave the user's own. */
    names(): Promise<{
        id: string;
        name: string;
    }[]>;
}
