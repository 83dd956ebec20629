import { useProduct } from '../test/browser.ts';
import { screenTests, withExamples } from '../test/screen-tests.ts';

const product = useProduct();
withExamples(product);
screenTests(product, 'narrow');
