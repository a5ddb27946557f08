//! Facts that the installation stores about itself.

use ports::storage::{Fact, Storage};

pub async fn the_last_value_of_a_fact_is_remembered(store: &dyn Storage) {
    assert_eq!(store.remembered(Fact::BaseUrl).await.unwrap(), None);
    for value in ["http://127.0.0.1:8080", "https://cover.example"] {
        store.remember(Fact::BaseUrl, value).await.unwrap();
        assert_eq!(store.remembered(Fact::BaseUrl).await.unwrap().as_deref(), Some(value));
    }
}
