import { defineTexts } from '../../../kit/text/define.ts';

export const browserErrorsTexts = defineTexts({
  'browserErrors.operations': { en_US: 'Activity', zh_CN: '操作', ko: '활동', pt_BR: 'Atividades' },
  'browserErrors.title': {
    en_US: 'Browser errors',
    zh_CN: '浏览器错误',
    ko: '브라우저 오류',
    pt_BR: 'Erros do navegador',
  },
  'browserErrors.message': { en_US: 'Error', zh_CN: '错误', ko: '오류', pt_BR: 'Erro' },
  'browserErrors.page': { en_US: 'Page', zh_CN: '页面', ko: '페이지', pt_BR: 'Página' },
  'browserErrors.kind': { en_US: 'Kind', zh_CN: '类型', ko: '종류', pt_BR: 'Tipo' },
  'browserErrors.info': { en_US: 'Details', zh_CN: '详情', ko: '세부 정보', pt_BR: 'Detalhes' },
  'browserErrors.received': { en_US: 'Received', zh_CN: '接收时间', ko: '수신 시각', pt_BR: 'Recebido' },
  'browserErrors.search': {
    en_US: 'Error, page or user',
    zh_CN: '错误、页面或用户',
    ko: '오류, 페이지 또는 사용자',
    pt_BR: 'Erro, página ou usuário',
  },
  'browserErrors.none': {
    en_US: 'No browser errors',
    zh_CN: '没有浏览器错误',
    ko: '브라우저 오류 없음',
    pt_BR: 'Nenhum erro do navegador',
  },
  'browserErrors.noneText': {
    en_US:
      'When the console fails in a browser, the browser keeps the error. The errors arrive here when a user sends them or signs out.',
    zh_CN: '控制台在浏览器中出错时，浏览器会记录下来。用户提交或退出登录时，记录会显示在这里。',
    ko: '콘솔에서 오류가 나면 브라우저가 기록합니다. 사용자가 제출하거나 로그아웃하면 여기에 표시됩니다.',
    pt_BR:
      'Quando o console falha em um navegador, ele guarda o erro. Os erros chegam aqui quando um usuário os envia ou sai.',
  },
  'browserErrors.noMatch': {
    en_US: 'No error matches the search.',
    zh_CN: '没有匹配的错误。',
    ko: '검색과 일치하는 오류가 없습니다.',
    pt_BR: 'Nenhum erro corresponde à busca.',
  },
  'browserErrors.listFailed': {
    en_US: 'The errors could not be loaded.',
    zh_CN: '无法加载错误。',
    ko: '오류를 불러오지 못했습니다.',
    pt_BR: 'Não foi possível carregar os erros.',
  },
});
