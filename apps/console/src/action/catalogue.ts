// First: a schema asks for the setting when it is made.
import './schema-setup.ts';

export { actions } from '@carillon/actions';
