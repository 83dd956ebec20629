import { defineTexts } from '../../../kit/text/define.ts';

export const deliveryTexts = defineTexts({
  'delivery.open': { en_US: 'Delivery lists', zh_CN: '交付清单', ko: '납품 목록', pt_BR: 'Entregas' },
  'right.importDelivery': {
    en_US: 'Import delivery lists with claim codes',
    zh_CN: '导入含认领码的交付清单',
    ko: '클레임 코드가 있는 납품 목록 가져오기',
    pt_BR: 'Importar listas de entrega com códigos de reivindicação',
  },
  'audit.delivery.importCheck': {
    en_US: 'Check import of delivery list',
    zh_CN: '检查交付清单导入',
    ko: '납품 목록 가져오기 확인',
    pt_BR: 'Verificar importação de lista de entrega',
  },
  'audit.delivery.import': {
    en_US: 'Import delivery list',
    zh_CN: '导入交付清单',
    ko: '납품 목록 가져오기',
    pt_BR: 'Importar lista de entrega',
  },
  'audit.delivery.importUndo': {
    en_US: 'Undo import of delivery list',
    zh_CN: '撤销交付清单导入',
    ko: '납품 목록 가져오기 취소',
    pt_BR: 'Desfazer importação de lista de entrega',
  },
  'audit.delivery.importEnd': {
    en_US: 'Discard import of delivery list',
    zh_CN: '放弃交付清单导入',
    ko: '납품 목록 가져오기 삭제',
    pt_BR: 'Descartar importação de lista de entrega',
  },
});
