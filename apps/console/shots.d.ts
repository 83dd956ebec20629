/**
 * A picture of every screen in four languages, both schemes and two widths, into reports/shots/. Fails on text that
 * does not fit, a missing text, an error on the page's console, or an axe finding (WCAG 2.2 AA).
 *
 *   node apps/console/shots.ts --url http://127.0.0.1:8080 --user admin --password … [--out DIR] [--only list,login] [--languages en_US] [--schemes light] [--widths 1440]
 */
export declare const flags: string[];
export interface ShotOptions {
    url: string;
    user: string;
    password: string;
    out: string;
    languages?: readonly string[];
    schemes?: readonly ('light' | 'dark')[];
    widths?: readonly number[];
    only?: readonly string[];
    told?: (line: string) => void;
}
export declare function shots(options: ShotOptions): Promise<{
    pictures: number;
    faults: string[];
}>;
