import dialog from '../part/dialog.module.css';
import page from '../part/form-page.module.css';
import css from './upload.module.css';

/** Layouts of a form on its own page, and in a dialog over its list. */
export const onPage = { form: page.form, body: page.body, foot: page.foot };
export const inDialog = { form: css.dialog, body: css.dialog, foot: dialog.buttons };
export type FormPlace = typeof onPage | typeof inDialog;
